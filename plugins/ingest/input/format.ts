import { Buffer } from 'node:buffer'
import { MB } from 'mneme/plugin'
import type { Format } from '../document/document.ts'
import { encodedKind, htmlOpening, opensAsFeed, opensAsJson, opensAsXml } from '../document/opening.ts'
import type { JobFormat } from '../job.ts'

/** The most that a file of each format may have. */
export const BYTES_MAX: Readonly<Record<Format, number>> = {
  PDF: 20 * MB,
  DOCX: 20 * MB,
  CSV: 10 * MB,
  MARKDOWN: 5 * MB,
  JSON: 5 * MB,
  TEXT: 5 * MB,
  HTML: 5 * MB,
}
export const FILE_BYTES_MAX = Math.max(...Object.values(BYTES_MAX))

const WORDS: Readonly<Record<string, JobFormat>> = {
  PDF: 'PDF',
  DOCX: 'DOCX',
  CSV: 'CSV',
  MARKDOWN: 'MARKDOWN',
  MD: 'MARKDOWN',
  JSON: 'JSON',
  TEXT: 'TEXT',
  TXT: 'TEXT',
  HTML: 'HTML',
  URL: 'URL',
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  pdf: 'PDF',
  docx: 'DOCX',
  csv: 'CSV',
  tsv: 'CSV',
  md: 'MARKDOWN',
  markdown: 'MARKDOWN',
  mdx: 'MARKDOWN',
  json: 'JSON',
  jsonl: 'JSON',
  ndjson: 'JSON',
  txt: 'TEXT',
  text: 'TEXT',
  log: 'TEXT',
  html: 'HTML',
  htm: 'HTML',
  xhtml: 'HTML',
}

/** Names of slides and sheets end so, whatever variant they are: pptx, ppsx, potx, xlsm. */
const SLIDES_OR_SHEETS = /^(?:pp|po|xl)[a-z]{1,2}$/

const TYPES: Readonly<Record<string, Format>> = {
  'application/pdf': 'PDF',
  'application/x-pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'text/csv': 'CSV',
  'text/tab-separated-values': 'CSV',
  'text/markdown': 'MARKDOWN',
  'text/x-markdown': 'MARKDOWN',
  'application/json': 'JSON',
  'application/x-ndjson': 'JSON',
  'application/jsonl': 'JSON',
  'text/html': 'HTML',
  'application/xhtml+xml': 'HTML',
}

/** A format as a caller writes it, in any letter case. */
export function formatOfWord(word: string): JobFormat | undefined {
  const key = word.trim().toUpperCase()
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
}

/** The format of a file without a word for it: by its name, its first bytes, and what its sender calls it. */
export function formatOfFile(filename: string | undefined, contentType: string, head: Uint8Array): Format | undefined {
  const extension = /\.([a-z0-9]{2,8})$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
  if (named) return named
  const sniffed = formatOfBytes(head)
  // Slides and sheets are archives of the same kind as documents, and often only their names tell them apart.
  if (sniffed === 'DOCX' && SLIDES_OR_SHEETS.test(extension)) return undefined
  return sniffed ?? formatOfType(contentType) ?? (isText(head) && !isXml(head) ? 'TEXT' : undefined)
}

/**
 * Finds a page's format and the encoding that its server names: its bytes take precedence over what the server calls
 * it.
 */
export function formatOfPage(
  bytes: Uint8Array,
  contentType: string,
  url: string,
): { format: Format | undefined; charset: string | undefined } {
  const charset = charsetOfType(contentType)
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  const isMarkdown = formatOfType(contentType) === 'MARKDOWN' || /\.(md|markdown)$/i.test(path)
  const sniffed = formatOfBytes(bytes.subarray(0, 4096))
  if (sniffed && !(isMarkdown && sniffed !== 'PDF')) return { format: sniffed, charset }
  if (bytes.byteLength > 0 && !isText(bytes.subarray(0, 4096))) return { format: undefined, charset }
  const extension = /\.([a-z0-9]{2,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
  const claimed = formatOfType(contentType)
  const format = isMarkdown ? 'MARKDOWN' : (claimed ?? named)
  if (!format && isXml(bytes.subarray(0, 4096))) return { format: undefined, charset }
  return { format: !format || format === 'PDF' || format === 'DOCX' ? 'TEXT' : format, charset }
}

/** The encoding that a content type names. */
export function charsetOfType(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w-]{1,40})/i.exec(contentType)?.[1]
}

function formatOfType(contentType: string): Format | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
}

/** Finds a file's format by its first bytes; undefined for text that could be several things. */
function formatOfBytes(head: Uint8Array): Format | undefined {
  const text = latin(head)
  if (text.slice(0, 1024).includes('%PDF-')) return 'PDF'
  if (text.startsWith('PK\u0003\u0004'))
    return /\[Content_Types\]\.xml|word\//.test(text) && !/(?:ppt|xl)\//.test(text) ? 'DOCX' : undefined
  const start = withoutMark(text)
  const { hasDoctype, element } = htmlOpening(start)
  if (hasDoctype || (element && ['html', 'head', 'body'].includes(element))) return 'HTML'
  if (opensAsFeed(start)) return 'HTML'
  return opensAsJson(start) ? 'JSON' : undefined
}

function withoutMark(text: string): string {
  return text.replace(/^(?:\u00ef\u00bb\u00bf)?\s+/, '').replace(/^\u00ef\u00bb\u00bf/, '')
}

function latin(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
}

/** Data of a program, whose text is in what its elements mean. */
function isXml(head: Uint8Array): boolean {
  return opensAsXml(withoutMark(latin(head)))
}

/** Without the bytes that no text has, in whatever encoding: UTF-16 has zeros, in every other place. What is to be decoded first is none. */
function isText(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  if (encodedKind(latin(head)) !== undefined) return false
  let odd = 0
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) odd++
  return odd <= head.length / 50
}
