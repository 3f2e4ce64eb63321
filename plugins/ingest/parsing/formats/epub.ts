import { type Block, ReadingError } from '../../document/document.ts'
import { unpackArchive } from '../archive.ts'
import { charsetInside, decodeText } from '../charset.ts'
import { walkXml } from '../office-parts.ts'
import type { Parsed, Reading } from '../reading.ts'
import { blocksIn } from './html-blocks.ts'
import { parseDocument } from './html-document.ts'
import { requireMarkup } from './html-markup.ts'

const PAGE_TYPES = new Set(['application/xhtml+xml', 'text/html', 'application/x-dtbook+xml', 'text/x-oeb1-document'])

interface Chapter {
  readonly id: string
  readonly path: string
  readonly mediaType: string
  readonly isContents: boolean
}

/** A book (EPUB 2 and 3): its chapters in the order in which they are read. */
export async function parseEpub(bytes: Uint8Array, reading: Reading): Promise<Parsed> {
  const { limits } = reading
  const reads = /\.(?:xml|opf|x?html?)$/i
  const parts = await unpackArchive(bytes, { kind: 'a book (EPUB)', reads, bytesMax: limits.decompressedBytes })
  const textOf = (name: string) => new TextDecoder().decode(parts[name])
  const packagePath =
    packageOf(textOf('META-INF/container.xml')) ?? Object.keys(parts).find(name => name.endsWith('.opf'))
  if (packagePath === undefined || !parts[packagePath]) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a book (EPUB), but another kind of archive.')
  }
  const { title, chapters } = readPackage(textOf(packagePath), packagePath)
  const encrypted = encryptedIn(textOf('META-INF/encryption.xml'))
  if (chapters.some(({ path }) => encrypted.has(path))) {
    const message = 'The book is protected (DRM), so that only certain programs can open it.'
    throw new ReadingError('PASSWORD_PROTECTED', message)
  }
  return { ...(title ? { title } : {}), blocks: blocksOf(chapters, parts, reading) }
}

async function* blocksOf(
  chapters: readonly Chapter[],
  parts: Readonly<Record<string, Uint8Array>>,
  { limits, warnings }: Reading,
): AsyncGenerator<Block> {
  let missing = 0
  for (const { path, mediaType, isContents } of chapters) {
    if (isContents || !PAGE_TYPES.has(mediaType)) continue
    const part = parts[path]
    if (!part) missing++
    else {
      const html = await decodeText(part, [charsetInside(part)], warnings)
      requireMarkup(html, limits.htmlMarks)
      yield* blocksIn(parseDocument(html).body, limits.nesting)
    }
  }
  if (missing > 0) warnings.push(`${missing} of its chapters ${missing === 1 ? 'is' : 'are'} not in the file.`)
}

function packageOf(container: string): string | undefined {
  let path: string | undefined
  walkXml(container, {
    open(tag, { 'full-path': full }) {
      if (tag === 'rootfile') path ??= full
    },
  })
  return path
}

function readPackage(xml: string, packagePath: string): { title: string | undefined; chapters: Chapter[] } {
  const items = new Map<string, Chapter>()
  const order: string[] = []
  const titles: string[] = []
  let isTitle = false
  walkXml(xml, {
    open(tag, { id = '', href = '', 'media-type': mediaType = '', properties = '', idref = '' }) {
      if (tag === 'item') {
        const isContents = properties.split(/\s+/).includes('nav')
        items.set(id, { id, path: within(packagePath, href), mediaType, isContents })
      } else if (tag === 'itemref') order.push(idref)
      else if (tag === 'title') {
        isTitle = true
        titles.push('')
      }
    },
    text(text) {
      if (isTitle) titles.push((titles.pop() ?? '') + text)
    },
    close(tag) {
      if (tag === 'title') isTitle = false
    },
  })
  const chapters = order.flatMap(id => items.get(id) ?? [])
  return { title: titles[0]?.replace(/\s+/g, ' ').trim() || undefined, chapters }
}

function within(packagePath: string, href: string): string {
  return URL.canParse(href, `book:///${packagePath}`)
    ? decodeURIComponent(new URL(href, `book:///${packagePath}`).pathname).slice(1)
    : href
}

/** Fonts may be obscured in a book that anybody can read; its chapters may not. */
function encryptedIn(xml: string): Set<string> {
  const paths = new Set<string>()
  walkXml(xml, {
    open: (tag, { URI: path }) => void (tag === 'CipherReference' && path && paths.add(decodeURIComponent(path))),
  })
  return paths
}
