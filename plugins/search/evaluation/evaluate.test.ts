import { expect, test } from 'bun:test'
import { ranksOfExpected } from './evaluate.ts'

const ID = '0193c6a4-0000-7000-8000-00000000000a'
const results = [
  { id: 'other', memory: 'Bob likes  Green\ntea', metadata: null },
  { id: ID, memory: 'Ada drinks coffee', metadata: { key: 'a', tags: ['x', 'y'] } },
]

test.each([
  [ID.toUpperCase(), 2],
  ['green TEA', 1],
  ['tea with milk', null],
  [{ id: ID, text: 'coffee' }, 2],
  [{ id: ID, text: 'tea' }, null],
  [{ metadata: { tags: ['x', 'y'] } }, 2],
  [{ metadata: { key: 'a', tags: ['x'] } }, null],
])('%j is found at %p', (expected, rank) => {
  expect(ranksOfExpected(results, [expected])).toEqual([rank])
})
