import { createHash } from 'node:crypto'
import { LINE_BYTES_MAX } from '../schemas.ts'
import { RELATIONS, textOf } from './foreign.ts'
import { type Line, linesOf } from './lines.ts'
import { fieldsOf } from './shapes.ts'

/** The shape of a file: lines, or one JSON document; both are read on from a byte. */
export type Shape = 'mneme' | 'plain' | 'list' | 'document'

/** A file that cannot be imported at all; the message is for people. */
export class ImportError extends Error {}

/**
 * Looks at a file's beginning, and reads an archive of this service to its end, so that nothing of a damaged one is stored.
 * @param open reads the file from its start
 * @throws ImportError
 */
export async function inspect(open: () => AsyncIterable<Uint8Array>): Promise<Shape> {
  const [first, second] = await firstLines(open(), 2)
  if (first === undefined) throw new ImportError('The file is empty.')
  const text = 'text' in first ? first.text : undefined
  const value = text === undefined ? undefined : parsed(text)
  const fields = fieldsOf(value)
  if (fields?.type === 'manifest') {
    if (fields.format !== 'mneme-archive' || fields.version !== 1) {
      throw new ImportError('The archive is of a version that this server cannot read.')
    }
    await verifyArchive(open())
    return 'mneme'
  }
  const opening = text?.trimStart()[0] ?? (await firstByte(open()))
  // A document that is whole on its first line has no second one.
  const isOneOfLines =
    value !== undefined && second !== undefined && 'text' in second && parsed(second.text) !== undefined
  if (typeof value === 'string' || (fields && !isDocument(fields)) || isOneOfLines) return 'plain'
  if (opening === '{') return 'document'
  if (opening === '[') return 'list'
  throw new ImportError(
    'The file is neither JSON nor lines of JSON. An import reads JSONL and JSON exports of this service, exports of mem0, Zep, Hindsight, Supermemory and Letta, and lines such as {"text": "…"}.',
  )
}

/** Every line is followed to the last, which has the checksum of all before it. */
async function verifyArchive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const hash = createHash('sha256')
  let last: { readonly text: string; readonly before: string } | undefined
  for await (const line of linesOf(bytes, 0, LINE_BYTES_MAX)) {
    if ('fault' in line)
      throw new ImportError(`The archive is damaged: a line of it ${line.fault}. Nothing was imported.`)
    const { text } = line
    if (text.trim() === '') continue
    last = text.startsWith('{"type":"end"') ? { text, before: hash.copy().digest('hex') } : undefined
    hash.update(text).update('\n')
  }
  if (!last) throw new ImportError('The archive is incomplete: its last line is missing.')
  if (fieldsOf(parsed(last.text))?.sha256 !== last.before) {
    throw new ImportError('The archive is damaged: its contents do not fit its checksum. Nothing was imported.')
  }
}

/** Two lines of the largest size, and what blank ones may stand between them, are told from this. */
const BEGINNING_BYTES = 4 * LINE_BYTES_MAX

/** A document may be one line of gigabytes. */
async function* beginningOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of bytes) {
    yield chunk
    length += chunk.byteLength
    if (length > BEGINNING_BYTES) return
  }
}

/** The first lines that are not blank; after one that cannot be read, no other. */
async function firstLines(bytes: AsyncIterable<Uint8Array>, count: number) {
  const lines: Line[] = []
  for await (const line of linesOf(beginningOf(bytes), 0, LINE_BYTES_MAX)) {
    if ('fault' in line || line.text.trim() !== '') lines.push(line)
    if ('fault' in line || lines.length === count) break
  }
  return lines
}

async function firstByte(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  for await (const chunk of bytes) {
    const text = new TextDecoder().decode(chunk.subarray(0, 1000)).trimStart()
    if (text !== '') return text[0]
  }
  return undefined
}

/** Tells whether a line is an item of its own, so that the file is one of lines and not one document. */
export function isItem(line: string): boolean {
  const value = parsed(line)
  const fields = fieldsOf(value)
  return typeof value === 'string' || (fields !== undefined && (fields.type === 'manifest' || !isDocument(fields)))
}

/** A document's own fields are lists, or mem0's object of relations, and none of them is a text. */
function isDocument(fields: Readonly<Record<string, unknown>>): boolean {
  const hasLists = Object.values(fields).some(Array.isArray) || fieldsOf(fields[RELATIONS]) !== undefined
  return textOf(fields) === undefined && hasLists
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
