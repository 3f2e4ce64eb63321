import { describe, expect, test } from 'bun:test'
import { readPositions } from './features.ts'

describe('readPositions', () => {
  test('reads lexemes with their positions and drops weights and the prefix', () => {
    const read = readPositions("'abccat':1C,17C 'abcdog':3C", 3)
    expect(Object.fromEntries(read)).toEqual({ cat: [1, 17], dog: [3] })
  })

  test('reads quotes, backslashes and colons that are part of a lexeme', () => {
    const read = readPositions(String.raw`'pO''Brien\\x':2 'p'':1 ''b':16383A`, 1)
    expect(Object.fromEntries(read)).toEqual({ "O'Brien\\x": [2], "':1 'b": [16383] })
  })

  test('reads an empty vector as nothing', () => {
    expect(readPositions('', 3).size).toBe(0)
  })
})
