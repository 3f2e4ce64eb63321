import { expect, test } from 'bun:test'
import { chunksOfDocument } from '../fixtures.test-support.ts'

test.each([
  ['lines of JSON, one of which is broken', '{"a": 1}\n\n{"a": 2\n{"a": 3}\n', 3],
  ['lines of JSON, the first of which is broken', '{"a": 1\n{"a": 2}\n{"a": 3}', 1],
  ['comments', '{\n  // a comment\n  "a": 1\n}', 2],
  ['a comma too many', '{\n  "a": 1,\n}', 3],
])('JSON with %s is refused with its line', async (_, json, line) => {
  await expect(chunksOfDocument('JSON', json)).rejects.toThrow(`The file is not valid JSON (line ${line}).`)
})
