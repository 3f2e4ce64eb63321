import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'

/** Something to import: a file or the address of a page. */
export type Source =
  | {
      readonly kind: 'file' | 'archive'
      readonly path: string
      readonly name: string
      /** Tells files of one name in several folders apart, from wherever the command is run. */
      readonly documentName: string
    }
  | { readonly kind: 'page'; readonly url: string }

export interface Found {
  readonly sources: readonly Source[]
  /** Files of folders whose type nothing here reads. */
  readonly passedOver: readonly string[]
  /** Paths that do not exist or cannot be read, with the reason. */
  readonly missing: readonly { readonly path: string; readonly reason: string }[]
}

/** Files that the service makes memories of, by their ending. */
const DOCUMENTS = new Set('.pdf .docx .csv .tsv .md .markdown .mdx .json .txt .text .log .html .htm .xhtml'.split(' '))
/** Lines of JSON: exports of this service, and memories one a line. */
const ARCHIVES = new Set(['.jsonl', '.ndjson'])

const DEPTH_MAX = 64

/**
 * Finds what the arguments name. Folders are searched to their ends, hidden files and links in them are left out.
 * @param areArchives says that JSON files are exports rather than documents
 */
export async function findSources(given: readonly string[], areArchives: boolean): Promise<Found> {
  const fileOf = (path: string): Source => {
    const ending = extname(path).toLowerCase()
    const isArchive = ARCHIVES.has(ending) || (areArchives && ending === '.json')
    return { kind: isArchive ? 'archive' : 'file', path, name: basename(path), documentName: resolve(path) }
  }
  const sources: Source[] = []
  const passedOver: string[] = []
  const missing: { path: string; reason: string }[] = []
  for (const argument of given) {
    if (/^https?:\/\//i.test(argument)) {
      sources.push({ kind: 'page', url: argument })
      continue
    }
    try {
      if ((await stat(argument)).isDirectory()) {
        for await (const path of filesBelow(argument)) {
          if (isKnown(path)) sources.push(fileOf(path))
          else passedOver.push(path)
        }
      } else sources.push(fileOf(argument))
    } catch (error) {
      missing.push({ path: argument, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { sources, passedOver, missing }
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
