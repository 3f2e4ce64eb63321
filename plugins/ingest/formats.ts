import type { SecretsMode } from '../memories/contract.ts'
import { type FileContent, ReadingError } from './document/document.ts'
import { encodedKind, htmlOpening, type Opening, opensAsEmail, opensAsFeed, opensAsJson } from './document/opening.ts'
import type { Parsed, Reading } from './parsing/reading.ts'

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
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const ARCHIVE = 'PK\u0003\u0004'

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
  row('EPUB', {
    title: 'Book (EPUB)',
    kind: 'a book (EPUB)',
    extensions: ['epub'],
    mediaTypes: ['application/epub+zip'],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) => text.startsWith(ARCHIVE) && text.includes('mimetypeapplication/epub+zip'),
    async read({ bytes }, reading) {
      const { parseEpub } = await import('./parsing/formats/epub.ts')
      return parseEpub(bytes, reading)
    },
  }),
  row('PPTX', {
    title: 'PowerPoint (PPTX)',
    kind: 'a presentation of PowerPoint',
    extensions: ['pptx', 'ppsx', 'potx', 'pptm', 'ppsm', 'potm'],
    mediaTypes: [`${OFFICE}.presentationml.presentation`, `${OFFICE}.presentationml.slideshow`],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) => text.startsWith(ARCHIVE) && text.includes('ppt/'),
    async read({ bytes }, reading) {
      const { parsePptx } = await import('./parsing/formats/pptx.ts')
      return parsePptx(bytes, reading)
    },
  }),
  row('XLSX', {
    title: 'Excel (XLSX)',
    kind: 'a workbook of Excel',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    mediaTypes: [`${OFFICE}.spreadsheetml.sheet`, 'application/vnd.ms-excel.sheet.macroenabled.12'],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) => text.startsWith(ARCHIVE) && text.includes('xl/'),
    async read({ bytes }, reading) {
      const { parseXlsx } = await import('./parsing/formats/xlsx.ts')
      return parseXlsx(bytes, reading)
    },
  }),
  row('DOCX', {
    title: 'Word (DOCX)',
    kind: 'a Word document',
    extensions: ['docx'],
    mediaTypes: [`${OFFICE}.wordprocessingml.document`],
    bytesMax: 20 * MB,
    isBinary: true,
    opens: ({ text }) => text.startsWith(ARCHIVE) && /\[Content_Types\]\.xml|word\//.test(text),
    async read({ bytes }, reading) {
      const { parseDocx } = await import('./parsing/formats/docx.ts')
      return parseDocx(bytes, reading)
    },
  }),
  row('RTF', {
    title: 'Rich text (RTF)',
    kind: 'rich text (RTF)',
    extensions: ['rtf'],
    mediaTypes: ['application/rtf', 'text/rtf'],
    bytesMax: 20 * MB,
    opens: ({ start }) => start.startsWith('{\\rtf'),
    async read({ bytes }, reading) {
      const { parseRtf } = await import('./parsing/formats/rtf.ts')
      return parseRtf(bytes, reading)
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
  row('SUBTITLES', {
    words: ['SRT', 'VTT'],
    title: 'Subtitles (SRT, VTT)',
    kind: 'subtitles',
    extensions: ['srt', 'vtt'],
    mediaTypes: ['application/x-subrip', 'text/vtt'],
    bytesMax: 5 * MB,
    opens: ({ start }) => /^(?:WEBVTT\b|\d+\s*\n(?:\d+:)?\d\d:\d\d[.,]\d{1,3} --> )/.test(start),
    async readText(text) {
      const { parseSubtitles } = await import('./parsing/formats/subtitles.ts')
      return parseSubtitles(text)
    },
  }),
  row('ICS', {
    title: 'Calendar (ICS)',
    kind: 'a calendar (ICS)',
    extensions: ['ics', 'ical'],
    mediaTypes: ['text/calendar', 'application/ics'],
    bytesMax: 5 * MB,
    opens: ({ start }) => /^BEGIN:VCALENDAR\b/i.test(start),
    async readText(text) {
      const { parseCalendar } = await import('./parsing/formats/calendar.ts')
      return parseCalendar(text)
    },
  }),
  row('EML', {
    title: 'E-mail (EML)',
    kind: 'an e-mail',
    extensions: ['eml'],
    mediaTypes: ['message/rfc822'],
    bytesMax: 20 * MB,
    opens: ({ start }) => opensAsEmail(start),
    async read({ bytes }, reading) {
      const { parseEml } = await import('./parsing/formats/eml.ts')
      return parseEml(bytes, reading)
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
    async readText(text, { name }) {
      const { parseMarkdown } = await import('./parsing/formats/markdown.ts')
      return titled(parseMarkdown(text, name))
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
  /** Says what becomes of secrets in it; they are kept where it is left out. */
  readonly secrets?: SecretsMode
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

function titled({ title, blocks }: Pick<Parsed, 'blocks'> & { title: string | undefined }): Parsed {
  return { blocks, ...(title ? { title } : {}) }
}
