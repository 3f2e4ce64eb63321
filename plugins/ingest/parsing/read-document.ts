import { type Block, type FileContent, ReadingError } from '../document/document.ts'
import { type FileFormat, fileFormat, type SourceDocument } from '../formats.ts'
import { charsetOfType, formatOfFile } from '../input/format.ts'
import { BinaryData } from './binary-data.ts'
import { decodeText, requireText } from './charset.ts'
import type { ParsingLimits } from './limits.ts'
import type { Parsed, Reading } from './reading.ts'

const TITLE_CHARS_MAX = 300
/** A file's format is told by so much of it. */
const HEAD_BYTES = 4096

/** Reads a document in its format. Runs wherever it is called, which is in a thread of its own: a document may take it minutes. */
export async function readDocument(document: SourceDocument, limits: ParsingLimits, depth = 0): Promise<Parsed> {
  if (document.bytes.byteLength === 0) throw new ReadingError('EMPTY_FILE', 'The file is empty.')
  const format = fileFormat(document.format)
  const reading: Reading = {
    limits,
    name: document.name,
    warnings: [],
    binary: new BinaryData(),
    depth,
    readPart: (file, mediaType) => readPart(file, mediaType, limits, depth + 1),
  }
  const {
    title,
    warnings = reading.warnings,
    ...parsed
  } = await (format.read?.(document, reading) ?? readText(format, document, reading))
  // They are complete when the last block is read.
  const all: string[] = []
  async function* blocks(): AsyncGenerator<Block> {
    for await (const block of parsed.blocks) yield* reading.binary.blocksWithout([block])
    all.push(...warnings, ...(reading.binary.warning ? [reading.binary.warning] : []))
  }
  return {
    ...parsed,
    ...(title ? { title: title.slice(0, TITLE_CHARS_MAX) } : {}),
    warnings: all,
    blocks: blocks(),
  }
}

/** Reads a document within another one, in the format that it has by its name and its bytes. */
async function readPart(file: FileContent, mediaType: string, limits: ParsingLimits, depth: number): Promise<Parsed> {
  const format = formatOfFile(file.name, mediaType, file.bytes.subarray(0, HEAD_BYTES))
  if (!format) throw new ReadingError('FORMAT_MISMATCH', 'The part is of no format that can be read.')
  return readDocument({ charset: charsetOfType(mediaType), ...file, format }, limits, depth)
}

async function readText(format: FileFormat, { bytes, charset }: SourceDocument, reading: Reading): Promise<Parsed> {
  const { kind, readText: read } = format
  if (!read) throw new Error(`the format ${format.id} has no reader`)
  const known = binaryKind(bytes)
  if (known) throw new ReadingError('FORMAT_MISMATCH', `The file is not ${kind}, but ${known}.`)
  const text = requireText(await decodeText(bytes, [charset], reading.warnings), kind)
  if (!text.trim()) throw new ReadingError('EMPTY_FILE', 'The file holds nothing but white space.')
  return read(text, reading)
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
