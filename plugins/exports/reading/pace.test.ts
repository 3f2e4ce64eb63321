import { describe, expect, test } from 'bun:test'
import { turnsDuring } from '../../../test/support/event-loop.ts'
import { withinLineLimit } from '../routes/create-import.ts'
import { documentItems } from './document-items.ts'
import { linesOf } from './lines.ts'

/** Pieces of a stored file have this size. */
const PIECE_BYTES = 256 * 1024

async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function readToEnd(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

describe('one piece of a file lets others in again and again', () => {
  const blank = '\n'.repeat(PIECE_BYTES)
  const short = `[${'0,'.repeat(PIECE_BYTES / 2)}0]`
  test.each([
    ['of blank lines, as it is read', () => linesOf(piece(blank), 0, 1000)],
    ['of blank lines, as it arrives', () => withinLineLimit(piece(blank))],
    ['of a list of short values', () => documentItems(() => piece(short), { root: '[', maxItemBytes: 1000 })],
  ])('%s', async (_, read) => {
    expect(await turnsDuring(readToEnd(read()))).toBeGreaterThanOrEqual(5)
  })
})
