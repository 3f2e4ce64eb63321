import type { Import } from '../job.ts'
import { LINE_BYTES_MAX } from '../schemas.ts'
import { documentItems } from './document-items.ts'
import { parsed, type Shape } from './inspect.ts'
import { linesOf } from './lines.ts'
import { fieldsOf, isArchived, type Reading, readArchived, readForeign } from './shapes.ts'

/** One item of a file, and where reading goes on after it. */
export interface Item {
  readonly content: Reading | { readonly record: Readonly<Record<string, unknown>> }
  readonly next: number
}

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
      if (++number > position) yield { content: contentOf(value, list, userId, now), next: number }
    }
    return
  }
  for await (const { text, end } of linesOf(open(position), position, LINE_BYTES_MAX)) {
    if (text === undefined) yield { content: { fault: `is longer than ${LINE_BYTES_MAX} bytes` }, next: end }
    else if (text.trim() !== '') yield { content: lineOf(text, userId, now), next: end }
  }
}

function lineOf(text: string, userId: string, now: Date): Item['content'] {
  const value = parsed(text)
  return value === undefined ? { fault: 'is no valid JSON' } : contentOf(value, '', userId, now)
}

/** A line of an archive says what it is; everything else is a memory. */
function contentOf(value: unknown, list: string, userId: string, now: Date): Item['content'] {
  const fields = fieldsOf(value)
  const type = fields?.type
  if (type === 'manifest' || type === 'end') return { skip: true }
  if (isArchived(value)) return readArchived(value)
  if (fields && typeof type === 'string' && !('memory' in fields || 'text' in fields)) return { record: fields }
  return readForeign(value, list, userId, now)
}
