import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Block } from '../document/document.ts'
import { chunksOf } from './chunker.ts'
import { CHUNK_CHARS_MAX, CHUNK_CHARS_MIN } from './limits.ts'
import { sentencesOf, splitText } from './sentences.ts'

const paragraph = (text: string, page?: number): Block => ({ kind: 'paragraph', text, ...(page ? { page } : {}) })
const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text })
const prose = (about: string, sentences: number) =>
  Array.from(
    { length: sentences },
    (_, n) => `Sentence ${n + 1} about ${about} has about seventy characters of text.`,
  ).join(' ')

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

describe('chunks', () => {
  test('stand under the path of their headings, whose sections stay apart', () => {
    const chunks = chunksOf([
      heading(1, 'Guide'),
      paragraph(prose('the guide', 5)),
      heading(2, 'Setup'),
      paragraph(prose('setup', 5)),
      heading(2, 'Use'),
      paragraph(prose('use', 5)),
    ])
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Guide'], ['Guide', 'Setup'], ['Guide', 'Use']])
    expect(chunks[1]?.text.startsWith('Guide › Setup\n\nSentence 1 about setup')).toBe(true)
  })

  test('join sections that are too small to say much, with their headings', () => {
    const chunks = chunksOf([
      heading(1, 'Terms'),
      heading(2, 'Ada'),
      paragraph('A name.'),
      heading(2, 'Bug'),
      paragraph('A fault.'),
    ])
    expect(chunks).toEqual([{ text: 'Terms\n\nAda\n\nA name.\n\nBug\n\nA fault.', headingPath: ['Terms'] }])
  })

  test('that begin with a program lose the indentation that all its lines have', () => {
    const code: Block = { kind: 'code', text: '    def a():\n\n        return 1\n    a()' }
    expect(chunksOf([code])[0]?.text).toBe('def a():\n\n    return 1\na()')
    expect(chunksOf([paragraph('See:'), code])[0]?.text).toBe(`See:\n\n${code.text}`)
    expect(chunksOf([heading(1, 'A'), code])[0]?.text).toBe(`A\n\n${code.text}`)
  })

  test('keep headings that nothing stands under', () => {
    const chunks = chunksOf([heading(1, 'Part one'), heading(1, 'Part two'), paragraph('Text.'), heading(1, 'The end')])
    expect(chunks.map(({ text }) => text).join('\n')).toBe('Part one\n\nPart two\n\nText.\n\nThe end')
  })

  test('have whole sentences, in parts of about one length that overlap by a sentence', () => {
    const parts = splitText(prose('a long thing', 40))
    for (const part of parts) {
      expect(part).toMatch(/^Sentence/)
      expect(part).toMatch(/text\.$/)
      expect(part.length).toBeLessThanOrEqual(CHUNK_CHARS_MAX)
      expect(part.length).toBeGreaterThan(CHUNK_CHARS_MAX / 2)
    }
    const [first = '', second = ''] = parts
    expect(second.startsWith(sentencesOf(first).at(-1)?.trim() ?? '?')).toBe(true)
  })

  test('do not overlap where there is structure', () => {
    const chunks = chunksOf(Array.from({ length: 12 }, (_, n) => paragraph(prose(`thing ${n}`, 5))))
    const all = chunks.flatMap(({ text }) => text.split('\n\n'))
    expect(all).toHaveLength(12)
  })

  test('of rows name the columns and the first row, and long rows stay alone', () => {
    const row = (n: number, text: string): Block => ({
      kind: 'row',
      row: n,
      columns: ['id', 'text'],
      cells: [String(n), text],
    })
    const chunks = chunksOf([row(1, 'short'), row(2, ''), row(3, prose('a ticket', 4)), row(4, prose('a ticket', 4))])
    expect(chunks.map(chunk => chunk.row)).toEqual([1, 4])
    expect(chunks[0]?.text).toStartWith('id: 1; text: short\nid: 2\nid: 3; text: Sentence 1')
    expect(chunks[1]?.text).toStartWith('id: 4; text: ')
  })

  test('of a row that is too long for one say each which row and column they are of', () => {
    const cells = ['Lamp', '12', prose('the lamp', 40)]
    const chunks = chunksOf([{ kind: 'row', row: 1, columns: ['Product', 'Price', 'Description'], cells }])
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks[0]?.text).toStartWith('Product: Lamp; Price: 12')
    for (const { text } of chunks.slice(1)) expect(text).toStartWith('Product: Lamp; Description: ')
  })

  test('of records have their path, of paragraphs their page', () => {
    const record: Block = {
      kind: 'record',
      path: 'items[3]',
      fields: [
        ['name', 'Ada'],
        ['address.city', 'London'],
      ],
    }
    expect(chunksOf([record])).toEqual([
      { text: 'name: Ada\naddress.city: London', headingPath: [], keyPath: 'items[3]' },
    ])
    const long = Array.from({ length: 100 }, (_, n) => `Sentence ${n} tells of the harbour.`).join(' ')
    for (const { text } of chunksOf([{ ...record, fields: [['notes', long]] }])) expect(text).toStartWith('notes: ')
    expect(chunksOf([paragraph('One.', 7), paragraph('Two.', 8)])).toEqual([
      { text: 'One.\n\nTwo.', headingPath: [], page: 7 },
    ])
  })

  test('divide text of languages without spaces between its sentences', () => {
    const text = '私は東京に住んでいます。毎日電車で会社に行きます。'.repeat(80)
    for (const part of splitText(text)) {
      expect(part.length).toBeLessThanOrEqual(CHUNK_CHARS_MAX)
      expect(part.endsWith('。')).toBe(true)
    }
  })

  test('lose no word, keep the order and their bounds, whatever the blocks are', () => {
    const text = fc.oneof(
      fc.lorem({ maxCount: 400 }),
      fc.stringMatching(/^[a-z0-9 .!?äöü\n-]{1,300}$/),
      fc.string({ minLength: 1, maxLength: 3000 }).map(value => value.replace(/[^\p{L}]/gu, 'x')),
    )
    const block: fc.Arbitrary<Block> = fc.oneof(
      fc.record({ kind: fc.constant('paragraph' as const), text }),
      fc.record({ kind: fc.constant('code' as const), text }),
      fc.record({ kind: fc.constant('item' as const), depth: fc.nat(9), text }),
      fc.record({
        kind: fc.constant('heading' as const),
        level: fc.integer({ min: 1, max: 6 }),
        text: fc.lorem({ maxCount: 8 }),
      }),
      fc.record({
        kind: fc.constant('row' as const),
        row: fc.nat(99),
        columns: fc.constant(['a', 'b']),
        cells: fc.array(text, { maxLength: 3 }),
      }),
    )
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), blocks => {
        const chunks = chunksOf(blocks)
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_CHARS_MAX)
          expect(chunk.text.trim()).toBe(chunk.text)
          expect(chunk.text).not.toBe('')
        }
        const given = blocks.flatMap(one =>
          'cells' in one ? one.cells.flatMap(words) : 'text' in one ? words(one.text) : [],
        )
        const found = chunks.flatMap(chunk => words(chunk.text)).join('')
        // A word that is longer than a chunk is divided, so what counts is that nothing is missing.
        for (const word of given) expect(found.includes(word.slice(0, 50))).toBe(true)
      }),
      { numRuns: 150, seed: 7 },
    )
  })

  test('are not fewer than a document of short paragraphs needs', () => {
    const chunks = chunksOf(
      Array.from({ length: 100 }, (_, n) => paragraph(`Paragraph number ${n} has forty characters.`)),
    )
    expect(chunks.length).toBeLessThanOrEqual(Math.ceil((100 * 46) / (CHUNK_CHARS_MAX - 60)))
    expect(chunks.slice(0, -1).every(({ text }) => text.length >= CHUNK_CHARS_MIN)).toBe(true)
  })
})

test('a paragraph of any length is divided between its words and characters, none of which is lost', () => {
  const long = Array.from({ length: 30_000 }, (_, n) => `word${n}`).join(' ')
  const parts = splitText(long)
  expect(parts.every(part => part.length <= CHUNK_CHARS_MAX)).toBe(true)
  expect(parts.join(' ')).toBe(long)
  const bees = splitText(`x${'🐝'.repeat(130_000)}`)
  expect(bees.every(part => part.isWellFormed())).toBe(true)
  expect(bees.join('')).toHaveLength(260_001)
})
