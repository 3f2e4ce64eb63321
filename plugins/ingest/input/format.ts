import { encodedKind, openingOf, opensAsXml } from '../document/opening.ts'
import { FILE_FORMATS, type Format, fileFormat } from '../formats.ts'
import type { JobFormat } from '../job.ts'

export const FILE_BYTES_MAX = Math.max(...FILE_FORMATS.map(({ bytesMax }) => bytesMax))

/** Names of slides and sheets end so, whatever variant they are: pptx, ppsx, potx, xlsm. */
const SLIDES_OR_SHEETS = /^(?:pp|po|xl)[a-z]{1,2}$/

/** A format as a caller writes it, in any letter case. */
export function formatOfWord(word: string): JobFormat | undefined {
  const key = word.trim().toUpperCase()
  if (key === 'URL') return key
  return FILE_FORMATS.find(({ id, words }) => id === key || words?.includes(key))?.id
}

/** The format of a file without a word for it: by its name, its first bytes, and what its sender calls it. */
export function formatOfFile(filename: string | undefined, contentType: string, head: Uint8Array): Format | undefined {
  const extension = extensionOf(filename ?? '')
  const named = formatOfExtension(extension)
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
  const head = bytes.subarray(0, 4096)
  const sniffed = formatOfBytes(head)
  if (sniffed && !(isMarkdown && sniffed !== 'PDF')) return { format: sniffed, charset }
  if (bytes.byteLength > 0 && !isText(head)) return { format: undefined, charset }
  const named = formatOfExtension(extensionOf(path))
  const format = isMarkdown ? 'MARKDOWN' : (formatOfType(contentType) ?? named)
  if (!format && isXml(head)) return { format: undefined, charset }
  return { format: format && !fileFormat(format).isBinary ? format : 'TEXT', charset }
}

/** The encoding that a content type names. */
export function charsetOfType(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w-]{1,40})/i.exec(contentType)?.[1]
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{2,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

function formatOfExtension(extension: string): Format | undefined {
  return FILE_FORMATS.find(({ extensions }) => extensions.includes(extension))?.id
}

function formatOfType(contentType: string): Format | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return FILE_FORMATS.find(({ mediaTypes }) => mediaTypes.includes(type))?.id
}

/** Finds a file's format by its first bytes; undefined for text that could be several things. */
function formatOfBytes(head: Uint8Array): Format | undefined {
  const opening = openingOf(head)
  return FILE_FORMATS.find(({ opens }) => opens?.(opening))?.id
}

/** Data of a program, whose text is in what its elements mean. */
function isXml(head: Uint8Array): boolean {
  return opensAsXml(openingOf(head).start)
}

/** Without the bytes that no text has, in whatever encoding: UTF-16 has zeros, in every other place. What is to be decoded first is none. */
function isText(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  if (encodedKind(openingOf(head).text) !== undefined) return false
  let odd = 0
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) odd++
  return odd <= head.length / 50
}
