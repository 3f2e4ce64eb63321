import type { ImportUnderWay } from '../job.ts'
import { LINE_BYTES_MAX } from '../schemas.ts'
import { ADDED_RELATIONS, documentItems } from './document-items.ts'
import { RELATIONS, readForeign, textOf } from './foreign.ts'
import { parsed, type Shape } from './inspect.ts'
import { type Line, linesOf } from './lines.ts'
import { fieldsOf, isArchived, type Reading, readArchived, readHistory } from './shapes.ts'

/** One item of a file, and where reading goes on after it. */
export interface Item {
  /** Undefined for an item of a list that holds no memories, which counts as none. */
  readonly content: Reading | undefined
  readonly next: number
  /** The list of a document that it stands in. */
  readonly list: string
}

/** As many levels as the body of a request may have. */
const LEVELS_MAX = 64

/** The items of an import from where it stands. @param open reads the file from a byte on */
export async function* itemsOf(
  { position, list, userId, size }: ImportUnderWay,
  shape: Shape,
  open: (start: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Item> {
  const now = new Date()
  if (position >= size) return
  if (shape === 'list' || shape === 'document') {
    const after = position > 0 ? { end: position, list } : undefined
    const options = { root: shape === 'list' ? '[' : '{', maxItemBytes: LINE_BYTES_MAX, after } as const
    let before = { next: position, list }
    for await (const { list, value, end } of documentItems(open, options)) {
      const after = { next: end, list }
      if (isGroup(list)) {
        const relations = [value].flat(3)
        // A run that ends among them reads all of them again.
        for (const [n, relation] of relations.entries()) {
          const content = contentOf(relation, { list: RELATIONS, isArchive: false }, userId, now)
          yield { content, ...(n === relations.length - 1 ? after : before) }
        }
      } else {
        const origin = { list, isArchive: !LISTS.has(list) }
        yield { content: isOfInterest(list, value) ? contentOf(value, origin, userId, now) : undefined, ...after }
      }
      before = after
    }
    return
  }
  for await (const line of linesOf(open(position), position, LINE_BYTES_MAX)) {
    yield { content: lineContent(line, shape, userId, now), next: line.end, list: '' }
  }
}

function lineContent(line: Line, shape: Shape, userId: string, now: Date): Reading {
  if ('fault' in line) return { fault: line.fault }
  // It counts, so that faults are told by the number that an editor shows.
  if (line.text.trim() === '') return { skip: true }
  const value = parsed(line.text)
  if (value === undefined) return { fault: 'is not valid JSON' }
  return contentOf(value, { list: '', isArchive: shape === 'mneme' }, userId, now)
}

/** Lists where the public exports of other services keep their items. */
const LISTS = new Set([
  ...[
    '',
    'results',
    'memories',
    'messages',
    'facts',
    'edges',
    'episodes',
    'data',
    'items',
    'memoryEntries',
    'passages',
    RELATIONS,
  ],
])

/** The graph of mem0 gives relations in lists of lists, one for each memory that was added. */
function isGroup(list: string): boolean {
  return list === ADDED_RELATIONS || list === 'added_entities'
}

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
