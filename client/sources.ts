import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { unicodeForm } from 'text-reader'
import { FILE_FORMATS } from '../plugins/ingest/formats.ts'

/** Something to import: a file or the address of a page. */
export type Source =
  | {
      readonly kind: 'file' | 'archive'
      readonly path: string
      readonly name: string
      /** By this a later run replaces it: files of one name in several folders, and folders of one name, are told apart. */
      readonly documentName: string
    }
  | { readonly kind: 'page'; readonly url: string }

export interface Found {
  readonly sources: readonly Source[]
  /** Files of folders that are not imported, with the reason where it is not their type. */
  readonly passedOver: readonly Unread[]
  /** Paths that do not exist or cannot be read, with the reason. */
  readonly missing: readonly Unread[]
}

export interface Unread {
  readonly path: string
  readonly reason?: string
}

export interface Search {
  /** JSON files are exports rather than documents. */
  readonly areArchives: boolean
  /** In place of the full path to a folder, or to the folder of a file: documents then have one name on every machine. */
  readonly root?: string | undefined
  /** An option that is for documents: folders are searched for these alone. */
  readonly documentsFor?: string | undefined
}

/** Files that the service makes memories of, by their ending. */
const DOCUMENTS = new Set(FILE_FORMATS.flatMap(({ extensions }) => extensions.map(extension => `.${extension}`)))
/** Lines of JSON: exports of this service, and memories one a line. */
const ARCHIVES = new Set(['.jsonl', '.ndjson'])

const DEPTH_MAX = 64

/** Finds what the arguments name. Folders are searched to their ends, hidden files and links in them are left out. */
export async function findSources(given: readonly string[], search: Search): Promise<Found> {
  const found = { sources: [] as Source[], passedOver: [] as Unread[], missing: [] as Unread[] }
  const { sources, passedOver, missing } = found
  for (const argument of given) {
    if (/^https?:\/\//i.test(argument)) {
      sources.push({ kind: 'page', url: argument })
      continue
    }
    try {
      if ((await stat(argument)).isDirectory()) {
        for await (const path of filesBelow(argument)) {
          const source = fileOf(path, argument, search)
          if (!isKnown(path)) passedOver.push({ path })
          else if (search.documentsFor && source.kind === 'archive') {
            passedOver.push({ path, reason: `${search.documentsFor} is for documents` })
          } else sources.push(source)
        }
      } else sources.push(fileOf(argument, dirname(argument), search))
    } catch (error) {
      missing.push({ path: argument, reason: reasonOf(error) })
    }
  }
  return withoutDoubles(found)
}

/** Codes of the operating system that people meet, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission to read it, or something in it, is denied',
}

/** Says why a file cannot be read. */
export function reasonOf(error: unknown): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: String(error) }
  return REASONS[code ?? ''] ?? message
}

type FileSource = Exclude<Source, { kind: 'page' }>

function fileOf(path: string, folder: string, { areArchives, root }: Search): FileSource {
  const ending = extname(path).toLowerCase()
  const isArchive = ARCHIVES.has(ending) || (areArchives && ending === '.json')
  const below = relative(folder, path).replaceAll(sep, '/')
  const documentName = root === undefined ? resolve(path) : `${root}/${below}`
  return { kind: isArchive ? 'archive' : 'file', path, name: basename(path), documentName }
}

/** Two files of one name would replace each other, so the second is not imported. The service compares names in one Unicode form. */
function withoutDoubles({ sources, passedOver, missing }: Found): Found {
  const named = new Map<string, string>()
  const doubles: Unread[] = []
  const single = sources.filter(source => {
    if (source.kind !== 'file') return true
    const { path, documentName } = source
    const name = unicodeForm(documentName, 'NFC')
    const other = named.get(name) ?? path
    named.set(name, other)
    if (resolve(other) === resolve(path)) return true
    doubles.push({ path, reason: `it would replace ${other}, which is named ${documentName} too` })
    return false
  })
  return { sources: single, passedOver, missing: [...missing, ...doubles] }
}

function isKnown(path: string): boolean {
  const ending = extname(path).toLowerCase()
  return DOCUMENTS.has(ending) || ARCHIVES.has(ending)
}

async function* filesBelow(folder: string, depth = 0): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < DEPTH_MAX) yield* filesBelow(path, depth + 1)
    else if (entry.isFile()) yield path
  }
}
