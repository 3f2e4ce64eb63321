import type { Import } from '../job.ts'
import { LINE_BYTES_MAX } from '../schemas.ts'
import { documentItems } from './document-items.ts'
import { parsed, type Shape } from './inspect.ts'
import { linesOf } from './lines.ts'
import { fieldsOf, isArchived, type Reading, readArchived, readForeign, readHistory, textOf } from './shapes.ts'

/** One item of a file, and where reading goes on after it. */
export interface Item {
  readonly content: Reading
  readonly next: number
  /** The size of its JSON. */
  readonly chars: number
}

/** As many levels as the body of a request may have. */
const LEVELS_MAX = 64

/** The items of an import from where it stands. @param open reads the file from a byte on */
export async function* itemsOf(
  { position, userId, size }: Import,
  shape: Shape,
  open: (start: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Item> {
  const now = new Date()
  // A document that is read to its end stands at its size, which is more than its items can be.
  if (position >= size) return
  if (shape === 'list' || shape === 'document') {
    let number = 0
    const root = shape === 'list' ? '[' : '{'
    for await (const { list, value } of documentItems(open(0), LINE_BYTES_MAX, root)) {
      if (!isOfInterest(list, value) || ++number <= position) continue
      const content = contentOf(value, { list, isArchive: !LISTS.has(list) }, userId, now)
      yield { content, next: number, chars: 'fault' in content ? 0 : JSON.stringify(value).length }
    }
    return
  }
  for await (const line of linesOf(open(position), position, LINE_BYTES_MAX)) {
    if ('fault' in line) yield { content: { fault: line.fault }, next: line.end, chars: 0 }
    else if (line.text.trim() !== '') {
      const value = parsed(line.text)
      const origin = { list: '', isArchive: shape === 'mneme' }
      const content = value === undefined ? { fault: 'is not valid JSON' } : contentOf(value, origin, userId, now)
      yield { content, next: line.end, chars: line.text.length }
    }
  }
}

/** Lists where the public exports of other services keep their items. */
const LISTS = new Set(['', 'results', 'memories', 'messages', 'facts', 'edges', 'episodes', 'data'])

/** Lists of other names hold what is no memory, such as Zep's nodes, and the records of this service's own JSON form. */
function isOfInterest(list: string, value: unknown): boolean {
  return LISTS.has(list) || typeof fieldsOf(value)?.type === 'string'
}

interface Origin {
  /** The list of a document that it stands in. */
  readonly list: string
  /** Everything beside memories in a file or a list of this service's own is told by its `type`. */
  readonly isArchive: boolean
}

/** In files of others, `type` is a word of theirs where the item has a text. */
function contentOf(value: unknown, { list, isArchive }: Origin, userId: string, now: Date): Reading {
  if (!isWithin(value, LEVELS_MAX)) return { fault: `has more than ${LEVELS_MAX} levels` }
  if (isArchived(value)) return readArchived(value)
  const fields = fieldsOf(value)
  const type = fields?.type
  const isRecord = fields && type !== 'memory' && (isArchive || textOf(fields) === undefined)
  if (!isRecord || typeof type !== 'string') return readForeign(value, list, userId, now)
  if (type === 'manifest' || type === 'end') return { skip: true }
  return type === 'history' ? readHistory(value) : { record: { ...fields, type } }
}

/** Whatever works on a value afterwards may go down into it without running out of stack. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every(inner => isWithin(inner, levels - 1))
}
