import { expect, test } from 'bun:test'
import { failure } from '../../../test/support/control-plane.ts'
import { DocumentError, type DocumentItem, type DocumentOptions, documentItems } from './document-items.ts'

/** Every kind of token, of escape and of character stands before, in and behind items. */
const values = [
  { text: 'plain' },
  { text: 'quote " backslash \\ slash / tab \t é 日本 😀 \u2028' },
  'a bare "text" \u0000',
  '',
  -12.5e-3,
  0,
  true,
  false,
  null,
  [],
  {},
  [[[1], {}], { a: { b: [null] } }],
  { 'key "with" 😀': [1, 2.0, 3e10, 'x'], nested: { list: [{}, []] } },
]
const escaped = String.raw`"\ud83d\ude00 \ud83d \ude00 \u00e9 \" \\ \/ \b\f\n\r\t"`
const list = `[ ${values.map(value => JSON.stringify(value, null, 1)).join(' ,\n ')},${escaped}, ${escaped} ]`
const named = `{ "none": {"a": {"b": [1]}}, "of \\"é\\"": ${list}, "x": 1, "": ${list},"last":[] }`

function opener(bytes: Uint8Array, size: number) {
  return async function* (start: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
}

function itemsOf(bytes: Uint8Array, size: number, options: Omit<DocumentOptions, 'maxItemBytes'>) {
  return Array.fromAsync(documentItems(opener(bytes, size), { ...options, maxItemBytes: 1000 }))
}

test.each([
  ['a list', '[', list],
  ['a document', '{', named],
  ['a list with a byte order mark', '[', `\uFEFF${list}`],
] as const)('%s is read on behind any of its items, whatever the pieces are', async (_, root, text) => {
  const bytes = new TextEncoder().encode(text)
  const whole = await itemsOf(bytes, bytes.length, { root })
  const document = JSON.parse(text.replace('\uFEFF', ''))
  const lists: [string, unknown[]][] = root === '[' ? [['', document]] : Object.entries(document)
  const expected = lists.flatMap(([name, items]) => (Array.isArray(items) ? items.map(value => [name, value]) : []))
  expect(whole.map(item => [item.list, item.value])).toEqual(expected)
  for (const size of [3, 7, 64, bytes.length]) {
    for (const [n, item] of whole.entries()) {
      expect(['[', ',', ']']).toContain(String.fromCharCode(bytes[item.end] ?? 0))
      const rest: DocumentItem[] = await itemsOf(bytes, size, { root, after: item })
      expect([size, n, rest]).toEqual([size, n, whole.slice(n + 1)])
    }
  }
})

test('a list of relations in an object is one item, behind which the object is read on', async () => {
  const relations =
    '{"old": [1], "added_entities": [[{"source": "a"}], [2]], "deleted_entities": [{"b": [3]}], "n": {"x": 1}}'
  const bytes = new TextEncoder().encode(`{"first": [0], "relations": ${relations}, "last": [4, 5]}`)
  const whole = await itemsOf(bytes, bytes.length, { root: '{' })
  expect(whole.map(({ list, value }) => [list, value])).toEqual([
    ['first', 0],
    ['relations.added_entities', [[{ source: 'a' }], [2]]],
    ['last', 4],
    ['last', 5],
  ])
  for (const [n, after] of whole.entries())
    expect([n, await itemsOf(bytes, 3, { root: '{', after })]).toEqual([n, whole.slice(n + 1)])
})

test('what is no JSON is no JSON behind an item either', async () => {
  const bytes = new TextEncoder().encode('{"a": [1, 2, 3,], "b": [4]}')
  const error = await failure(itemsOf(bytes, 100, { root: '{', after: { end: 14, list: 'a' } }))
  expect(error).toBeInstanceOf(DocumentError)
  const cut = await failure(itemsOf(bytes.subarray(0, 13), 100, { root: '{', after: { end: 8, list: 'a' } }))
  expect(cut).toMatchObject({ message: expect.stringContaining('ends too early') })
})
