import { type Block, type DocumentFacts, ReadingError, type SourceDocument } from '../document/document.ts'
import { encodedKind } from '../document/opening.ts'
import { formatOfFile } from '../input/format.ts'
import { decodeText, requireText } from './charset.ts'
import { parseCsv } from './formats/csv.ts'
import { type PartReader, parseDocx } from './formats/docx.ts'
import { parseHtml } from './formats/html.ts'
import { parseJson } from './formats/json.ts'
import { parseMarkdown } from './formats/markdown.ts'
import { parseText } from './formats/text.ts'
import type { ParsingLimits } from './limits.ts'
import { parsePdf } from './pdf/pdf.ts'

export interface ReadDocument {
  readonly facts: DocumentFacts
  readonly blocks: Iterable<Block> | AsyncIterable<Block>
}

/** Reads a document in its format. Runs wherever it is called, which is in a thread of its own: a document may take it minutes. */
export async function readDocument(document: SourceDocument, limits: ParsingLimits, depth = 0): Promise<ReadDocument> {
  const { bytes, format, charset } = document
  if (bytes.byteLength === 0) throw new ReadingError('EMPTY_FILE', 'The file is empty.')
  if (format === 'PDF') return parsePdf(bytes, limits)
  if (format === 'DOCX') return readDocx(bytes, limits, depth)
  if (format === 'HTML') return readHtml(document, limits)
  const known = binaryKind(bytes)
  if (known) throw new ReadingError('FORMAT_MISMATCH', `The file is not ${NAMES[format]}, but ${known}.`)
  const warnings: string[] = []
  const text = requireText(await decodeText(bytes, [charset], warnings), NAMES[format])
  const encoded = format === 'TEXT' ? encodedKind(text) : undefined
  if (encoded) throw new ReadingError('FORMAT_MISMATCH', `The file is not ${NAMES[format]}, but ${encoded}.`)
  if (!text.trim()) throw new ReadingError('EMPTY_FILE', 'The file holds nothing but white space.')
  if (format === 'CSV') return { facts: { warnings }, blocks: parseCsv(text) }
  if (format === 'JSON') return { facts: { warnings }, blocks: parseJson(text, limits, warnings) }
  if (format === 'MARKDOWN') return titled(parseMarkdown(text), warnings)
  return { facts: { warnings }, blocks: parseText(text) }
}

const NAMES = {
  PDF: 'a PDF',
  DOCX: 'a Word document',
  CSV: 'a CSV file',
  MARKDOWN: 'Markdown',
  JSON: 'JSON',
  TEXT: 'plain text',
  HTML: 'HTML',
} as const

async function readHtml(document: SourceDocument, limits: ParsingLimits): Promise<ReadDocument> {
  const warnings: string[] = []
  return titled(await parseHtml(document, limits, warnings), warnings)
}

async function readDocx(bytes: Uint8Array, limits: ParsingLimits, depth: number): Promise<ReadDocument> {
  const warnings: string[] = []
  const part: PartReader = (file, mediaType) => readPart(file, mediaType, limits, depth + 1)
  return titled(await parseDocx(bytes, limits, warnings, part), warnings)
}

/** Reads a document within another one, in the format that it has by its name and its bytes. */
async function readPart(
  file: { readonly name: string; readonly bytes: Uint8Array },
  mediaType: string,
  limits: ParsingLimits,
  depth: number,
): ReturnType<PartReader> {
  if (depth > PARTS_DEEP) throw new ReadingError('FORMAT_MISMATCH', 'It stands in too many other documents.')
  const format = [mediaType, file.name].some(one => MIME.test(one))
    ? undefined
    : formatOfFile(file.name, mediaType, file.bytes.subarray(0, HEAD_BYTES))
  if (!format) throw new ReadingError('FORMAT_MISMATCH', 'It is of no format that can be read.')
  const { blocks, facts } = await readDocument({ ...file, format }, limits, depth)
  return { blocks, warnings: facts.warnings ?? [] }
}

/** A file's format is told by so much of it. */
const HEAD_BYTES = 4096
/** Documents stand so deep in one another. */
const PARTS_DEEP = 3
/** Pages with their pictures (MHTML) look like text, and hold it in encodings of mail. */
const MIME = /^message\/|^multipart\/|\.mht(?:ml)?$/i

function titled(
  { title, blocks }: Pick<ReadDocument, 'blocks'> & { title: string | undefined },
  warnings: readonly string[] = [],
): ReadDocument {
  return { facts: { warnings, ...(title ? { title: title.slice(0, 300) } : {}) }, blocks }
}

/** Finds what a file that claims to be text is instead, by its first bytes. */
function binaryKind(bytes: Uint8Array): string | undefined {
  const begins = (...head: number[]) => head.every((byte, n) => bytes[n] === byte)
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'a PDF'
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'an archive (ZIP) or an Office document'
  if (begins(0x1f, 0x8b)) return 'a compressed file (gzip)'
  if (begins(0x89, 0x50, 0x4e, 0x47) || begins(0xff, 0xd8, 0xff) || begins(0x47, 0x49, 0x46, 0x38)) return 'a picture'
  return undefined
}
