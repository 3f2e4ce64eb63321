import { expect, test } from 'bun:test'
import { inParts } from './parts.ts'

test('a list is divided into parts of at most so many items, in its order', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inParts([1, 2], 2)).toEqual([[1, 2]])
  expect(inParts([1, 2], Number.POSITIVE_INFINITY)).toEqual([[1, 2]])
})

test('an empty list has no parts', () => {
  expect(inParts([], 2)).toEqual([])
})

test('a part is filled up to its weight, and an item that weighs more is a part of its own', () => {
  const weightOf = (text: string) => text.length
  expect(inParts(['aa', 'b', 'ccccc', 'd', ''], 3, weightOf)).toEqual([['aa', 'b'], ['ccccc'], ['d', '']])
})
