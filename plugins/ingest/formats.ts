import { type Block, type DocumentFacts, type FileContent, ReadingError } from './document/document.ts'
import { encodedKind, htmlOpening, type Opening, opensAsFeed, opensAsJson } from './document/opening.ts'
import type { BinaryData } from './parsing/binary-data.ts'
import type { ParsingLimits } from './parsing/limits.ts'

/** A reader works with this beside the file. */
export interface Reading {
  readonly limits: ParsingLimits
  /** Gets a sentence for what of the document is left out, or is read by a guess. */
  readonly warnings: string[]
  readonly binary: BinaryData
}

/** A document as its reader takes it apart. */
export interface Parsed extends DocumentFacts {
  readonly blocks: Iterable<Block> | AsyncIterable<Block>
}

/** All that the service knows of a format of files. Readers are loaded where a document is read, which is in a thread of its own. */
export interface FileFormat {
  /** Shown by jobs, and taken as `format`. */
  readonly id: string
  /** Other words for it. */
  readonly words?: readonly string[]
  /** As people call it. */
  readonly title: string
  /** In a sentence, as what a file is. */
  readonly kind: string
  /** Endings of names, the usual one first. */
  readonly extensions: readonly string[]
  readonly mediaTypes: readonly string[]
  readonly bytesMax: number
  /** Its files are no text, so that what is text is none of them whatever its name. */
  readonly isBinary?: true
  /** Tells files by how they begin. A format without it is told by names alone. */
  readonly opens?: (opening: Opening) => boolean
  /** Takes the bytes; a format of text takes them decoded, by `readText`. */
  readonly read?: (file: FileContent, reading: Reading) => Promise<Parsed>
  readonly readText?: (text: string, reading: Reading) => Promise<Parsed>
}

const MB = 1024 ** 2

/** The formats, in the order in which a file's first bytes are compared with them. A new one is a reader and a row. */
export const FILE_FORMATS = [
  row('PDF', {
    title: 'PDF',
    kind: 'a PDF',
    extensions: ['pdf'],
    mediaTypes: ['application/pdf', 'application/x-pdf'],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) => text.slice(0, 1024).includes('%PDF-'),
    async read({ bytes }, { limits }) {
      const { parsePdf } = await import('./parsing/pdf/pdf.ts')
      const { facts, blocks } = await parsePdf(bytes, limits)
      return { ...facts, blocks }
    },
  }),
  row('DOCX', {
    title: 'Word (DOCX)',
    kind: 'a Word document',
    extensions: ['docx'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) =>
      text.startsWith('PK\u0003\u0004') && /\[Content_Types\]\.xml|word\//.test(text) && !/(?:ppt|xl)\//.test(text),
    async read({ bytes }, { limits, warnings }) {
      const { parseDocx } = await import('./parsing/formats/docx.ts')
      return titled(await parseDocx(bytes, limits, warnings))
    },
  }),
  row('HTML', {
    title: 'HTML',
    kind: 'HTML',
    extensions: ['html', 'htm', 'xhtml'],
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    bytesMax: 5 * MB,
    opens({ start }) {
      const { hasDoctype, element } = htmlOpening(start)
      return hasDoctype || (element !== undefined && ['html', 'head', 'body'].includes(element)) || opensAsFeed(start)
    },
    async read(file, { limits, warnings }) {
      const { parseHtml } = await import('./parsing/formats/html.ts')
      return titled(await parseHtml(file, limits, warnings))
    },
  }),
  row('IPYNB', {
    title: 'Notebook (IPYNB)',
    kind: 'a notebook',
    extensions: ['ipynb'],
    mediaTypes: ['application/x-ipynb+json'],
    bytesMax: 20 * MB,
    opens: ({ start }) => opensAsJson(start) && /"cells"\s*:/.test(start) && /"cell_type"\s*:/.test(start),
    async readText(text, reading) {
      const { parseNotebook } = await import('./parsing/formats/notebook.ts')
      return parseNotebook(text, reading)
    },
  }),
  row('JSON', {
    title: 'JSON',
    kind: 'JSON',
    extensions: ['json', 'jsonl', 'ndjson'],
    mediaTypes: ['application/json', 'application/x-ndjson', 'application/jsonl'],
    bytesMax: 5 * MB,
    opens: ({ start }) => opensAsJson(start),
    async readText(text, { limits, warnings, binary }) {
      const { parseJson } = await import('./parsing/formats/json.ts')
      return { blocks: parseJson(text, limits, warnings, binary) }
    },
  }),
  row('CSV', {
    title: 'CSV',
    kind: 'a CSV file',
    extensions: ['csv', 'tsv'],
    mediaTypes: ['text/csv', 'text/tab-separated-values'],
    bytesMax: 10 * MB,
    async readText(text) {
      const { parseCsv } = await import('./parsing/formats/csv.ts')
      return { blocks: parseCsv(text) }
    },
  }),
  row('MARKDOWN', {
    words: ['MD'],
    title: 'Markdown',
    kind: 'Markdown',
    extensions: ['md', 'markdown', 'mdx'],
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    bytesMax: 5 * MB,
    async readText(text) {
      const { parseMarkdown } = await import('./parsing/formats/markdown.ts')
      return titled(parseMarkdown(text))
    },
  }),
  row('TEXT', {
    words: ['TXT'],
    title: 'Plain text',
    kind: 'plain text',
    extensions: ['txt', 'text', 'log'],
    // Servers and senders call everything so that they do not know.
    mediaTypes: [],
    bytesMax: 5 * MB,
    async readText(text) {
      const encoded = encodedKind(text)
      if (encoded) throw new ReadingError('FORMAT_MISMATCH', `The file is not plain text, but ${encoded}.`)
      const { parseText } = await import('./parsing/formats/text.ts')
      return { blocks: parseText(text) }
    },
  }),
] as const

export type Format = (typeof FILE_FORMATS)[number]['id']
export const FORMATS: readonly Format[] = FILE_FORMATS.map(({ id }) => id)

/** A document in a format, as a reader gets it. */
export interface SourceDocument extends FileContent {
  readonly format: Format
}

export function fileFormat(id: Format): FileFormat {
  const found = FILE_FORMATS.find(format => format.id === id)
  if (!found) throw new Error(`there is no format ${id}`)
  return found
}

/** The most that a file of each format may have, as a sentence for people says it. */
export function sizesInWords(): string {
  const sizes = [...new Set(FILE_FORMATS.map(({ bytesMax }) => bytesMax))].toSorted((a, b) => b - a)
  const parts = sizes.map(size => {
    const titles = FILE_FORMATS.filter(({ bytesMax }) => bytesMax === size).map(({ title }) => title)
    return `${listed(titles, 'and')} of at most ${size / MB} MB`
  })
  return parts.join(', ')
}

export function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

function row<const Id extends string>(id: Id, about: Omit<FileFormat, 'id'>): FileFormat & { readonly id: Id } {
  return { id, ...about }
}

function titled({ title, blocks }: { title: string | undefined; blocks: Iterable<Block> }): Parsed {
  return { blocks, ...(title ? { title } : {}) }
}
