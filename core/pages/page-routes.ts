import { fail } from '../errors.ts'
import { contentTypeOf, download, readFileRange } from '../http/download.ts'
import { type MountedRoute, mountRoute } from '../http/mount.ts'
import { targetOf } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import type { Wiring } from '../ports.ts'
import { PAGE_HEADERS, type PageFolder } from './page-folder.ts'
import { type FindFile, openStaticFiles, type StaticFile, segmentsOf } from './static-files.ts'

const INDEX = 'index.html'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Makes the routes of a plugin's pages. They stand beside those of its API and not in the reference. */
export function mountPages(
  pages: readonly PageFolder[],
  owner: { id: string; enabled: boolean },
  wiring: Wiring,
): MountedRoute[] {
  return pages.flatMap(page => {
    const find = openStaticFiles(page.folder)
    const files = [page.path, `${page.path}/*`].map(path => pageRoute(path, page, find))
    return [...files, ...(page.isHome ? [homeRoute(page)] : [])].map(route => ({
      ...mountRoute(route, { ...owner, scope: undefined }, wiring),
      headers: PAGE_HEADERS,
    }))
  })
}

const PAGE = { method: 'GET', access: 'public', workspace: 'none', ignoresUnknownQuery: true } as const

/** To everything but browsers there is nothing at `/`. */
function homeRoute({ path }: PageFolder): Route {
  return {
    ...PAGE,
    path: '/',
    summary: 'The page that people begin with',
    responses: { 302: null },
    handle({ request }) {
      if (!acceptsPages(request)) throw fail('NOT_FOUND')
      return { status: 302, headers: { location: `${path}/`, vary: 'Accept' } }
    },
  }
}

function pageRoute(path: string, page: PageFolder, find: FindFile): Route {
  return {
    ...PAGE,
    path,
    summary: 'Files of a page',
    download: true,
    responses: { 200: null, 308: null },
    async handle({ request }) {
      const { path: asked, query } = targetOf(request)
      // Relative addresses in the page begin at the folder.
      if (asked === page.path) {
        return { status: 308, headers: { location: `${page.path}/${query && `?${query}`}` } }
      }
      const segments = segmentsOf(asked.slice(page.path.length + 1))
      if (!segments) throw fail('NOT_FOUND')
      const last = segments.at(-1)
      const file = await find(last === '' ? [...segments.slice(0, -1), INDEX] : segments)
      if (file) return fileResponse(file, ...(file.isHashed ? await encodedAs(request, segments, find) : []))
      const fallback = isClientRoute(request, last) && page.fallback ? await find([page.fallback]) : undefined
      if (!fallback) throw fail('NOT_FOUND')
      // A client that does not accept a page gets 404 for the same address.
      return fileResponse(fallback, { vary: 'Accept' })
    },
  }
}

/** Tells whether a browser navigates to an address that no file has; one with a dot was meant as a file. */
function isClientRoute(request: Request, last: string | undefined): boolean {
  return !last?.includes('.') && acceptsPages(request)
}

function acceptsPages({ headers }: Request): boolean {
  return takes(headers.get('accept'), 'text/html')
}

/** Tells whether a header lists a word, and not as one that is refused. */
function takes(header: string | null, word: string): boolean {
  return new RegExp(`(^|,)\\s*${word}\\s*(?!;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(header ?? '')
}

/** A build puts `app-3f9a1c2e.js.br` and `.gz` beside a hashed file; gives the first that the client takes, with its headers. */
type Encoded = [Readonly<Record<string, string>>, StaticFile?]
async function encodedAs({ headers }: Request, segments: readonly string[], find: FindFile): Promise<Encoded> {
  for (const [encoding, ending] of Object.entries({ br: '.br', gzip: '.gz' })) {
    if (!takes(headers.get('accept-encoding'), encoding)) continue
    const file = await find(segments.with(-1, `${segments.at(-1)}${ending}`))
    if (file) return [{ vary: 'Accept-Encoding', 'content-encoding': encoding }, file]
  }
  return [{ vary: 'Accept-Encoding' }]
}

function fileResponse(file: StaticFile, headers: Readonly<Record<string, string>> = {}, sent = file) {
  const { path, size, etag, modifiedAt } = sent
  return download({
    contentType: contentTypeOf(file.path),
    size,
    etag,
    lastModified: modifiedAt,
    cacheControl: file.isHashed ? IMMUTABLE : 'no-cache',
    headers,
    open: range => readFileRange(path, range),
  })
}
