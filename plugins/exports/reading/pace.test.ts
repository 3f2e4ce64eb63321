import { describe, expect, test } from 'bun:test'
import { documentItems } from './document-items.ts'
import { withinLineLimit } from './line-limit.ts'
import { linesOf } from './lines.ts'

/** Pieces of a stored file have this size. */
const PIECE_BYTES = 256 * 1024

async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Counts how often the event loop turns while all of them are read. */
async function turnsWhileReading(all: AsyncIterable<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  for await (const _ of all);
  isOver = true
  return turns
}

describe('one piece of a file lets others in again and again', () => {
  const blank = '\n'.repeat(PIECE_BYTES)
  const short = `[${'0,'.repeat(PIECE_BYTES / 2)}0]`
  test.each([
    ['of blank lines, as it is read', () => linesOf(piece(blank), 0, 1000)],
    ['of blank lines, as it arrives', () => withinLineLimit(piece(blank))],
    ['of a list of short values', () => documentItems(() => piece(short), { root: '[', maxItemBytes: 1000 })],
  ])('%s', async (_, read) => {
    expect(await turnsWhileReading(read())).toBeGreaterThanOrEqual(5)
  })
})
