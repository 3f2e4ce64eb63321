import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLoadingCache } from '../loading-cache.ts'

/** A file below a folder, as it is at this moment. */
export interface StaticFile {
  /** The path without symbolic links. */
  readonly path: string
  readonly size: number
  readonly modifiedAt: Date
  /** A hash of its bytes. */
  readonly etag: string
  /** Tells whether its name holds a hash of its content, so that the content under this name never changes. */
  readonly isHashed: boolean
}

/** Looks a file up by the segments of a path; undefined where there is none that may be served. */
export type FindFile = (segments: readonly string[]) => Promise<StaticFile | undefined>

const ETAGS_MAX = 2000
const ETAG_TTL_MS = 24 * 3600 * 1000

export function openStaticFiles(folder: URL): FindFile {
  const root = fileURLToPath(folder)
  const etags = createLoadingCache<{ readonly etag: string }>({
    name: 'pages.etags',
    max: ETAGS_MAX,
    ttlMs: ETAG_TTL_MS,
    load: async key => ({ etag: await hashOf(key.slice(key.indexOf(' ') + 1)) }),
  })
  return async segments => {
    try {
      const [path, top] = await Promise.all([realpath(join(root, ...segments)), realpath(root)])
      // A symbolic link may lead out of the folder.
      if (!path.startsWith(top.endsWith(sep) ? top : top + sep)) return undefined
      const found = await stat(path, { bigint: true })
      if (!found.isFile()) return undefined
      const { mtime, mtimeNs, ctimeNs, ino } = found
      const size = Number(found.size)
      const known = await etags.get(`${ino}:${mtimeNs}:${ctimeNs}:${size} ${path}`)
      if (!known) return undefined
      return { path, size, modifiedAt: mtime, etag: known.etag, isHashed: isHashedName(segments.at(-1) ?? '') }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('base64url').slice(0, 32)
}

/** Names too long or unreadable are missing to a visitor; anything else is a failure to report. */
function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EISDIR'].includes(String(code))
}

const HASHED = /[.-](?=[A-Za-z0-9]*\d[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{8,}(?:\.[a-z0-9]{1,10}){1,2}$/

/**
 * Tells whether a name is of the form `name.<hash>.ext` or `name-<hash>.ext`. A hash has 8 letters and digits or more,
 * a letter after a digit among them, which words (`minified`), versions (`bootstrap5`) and dates (`20260101`) lack. The
 * few real hashes that lack it are revalidated each time, and an HTML page always is.
 */
export function isHashedName(name: string): boolean {
  return HASHED.test(name) && !/\.html?$/.test(name)
}

/**
 * Decodes the segments of a path below a page once; undefined for every path that could mean another place: dots,
 * hidden files, slashes or escapes inside a segment, NUL. An empty last segment, of a slash at the end, stays.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(part => decodeURIComponent(part))
    const isWhole = segments.slice(0, -1).every(segment => segment !== '')
    return isWhole && !segments.some(isUnsafe) ? segments : undefined
  } catch {
    return undefined
  }
}

/** Remaining escapes were escaped twice; a colon names drives and streams on some systems. */
function isUnsafe(segment: string): boolean {
  return segment.startsWith('.') || /[/\\:\p{Cc}]|%[0-9a-f]{2}/iu.test(segment)
}
