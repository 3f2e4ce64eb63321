import { expect, test } from 'bun:test'
import { chunksOfDocument, encode, textOf, warningsOf } from '../fixtures.test-support.ts'

test.each([
  ['lines of JSON, one of which is broken', '{"a": 1}\n\n{"a": 2\n{"a": 3}\n', 3],
  ['lines of JSON, the first of which is broken', '{"a": 1\n{"a": 2}\n{"a": 3}', 1],
  ['comments', '{\n  // a comment\n  "a": 1\n}', 2],
  ['a comma too many', '{\n  "a": 1,\n}', 3],
])('JSON with %s is refused with its line', async (_, json, line) => {
  await expect(chunksOfDocument('JSON', json)).rejects.toThrow(`The file is not valid JSON (line ${line}).`)
})

test.each([
  ['one', [5], '1 of its 20 lines (5) is not JSON and was left out.'],
  ['the first two', [1, 2], '2 of its 20 lines (1, 2) are not JSON and were left out.'],
  ['the last', [20], 'The last of its 20 lines is cut off and was left out.'],
])('lines of JSON without %s of them, which are broken, are read', async (_, broken, warning) => {
  const line = (n: number) => `{"city": "Town ${n}"${broken.includes(n) ? '' : '}'}`
  const numbers = Array.from({ length: 20 }, (_, n) => n + 1)
  const json = numbers.map(line).join('\n')
  const text = (await chunksOfDocument('JSON', json)).map(chunk => chunk.text).join('\n')
  expect(numbers.filter(n => new RegExp(`Town ${n}\\b`).test(text))).toEqual(numbers.filter(n => !broken.includes(n)))
  expect(await warningsOf('JSON', encode(json))).toEqual([warning])
})

test('lines of a text in a list stay lines, and words of a list stand in one', async () => {
  const read = (value: unknown) => textOf('JSON', JSON.stringify(value))
  expect(await read({ source: ['def open():\n', '    return 1\n', 'open()'] })).toBe(
    'source: def open():\n    return 1\nopen()',
  )
  const steps = ['Take the ferry at the quay behind the old fish market of Ghent.', 'Ask for Ada.']
  expect(await read({ steps })).toBe(`steps: ${steps.join('\n')}`)
  expect(await read({ log: ['first\nsecond', 'third'] })).toBe('log: first\nsecond\nthird')
  expect(await read({ tags: ['blue', 'green'] })).toBe('tags: blue, green')
})
