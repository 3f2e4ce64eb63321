import { describe, expect, test } from 'bun:test'
import { addressed, possibleNames } from '../query/plan.ts'

describe('possible names', () => {
  test.each([
    ['When did Ada meet Bob Byron?', ['ada', 'bob', 'byron']],
    ["Ada's plans", ['ada']],
    ['when did ada paint', ['ada', 'paint']],
    ['What will she do?', []],
    ['מתי דנה ציירה', ['מתי', 'דנה', 'ציירה']],
    ['"!? 5', []],
  ])('%s', (query, names) => {
    expect(possibleNames(query)).toEqual(names)
  })
  test('are bounded', () => {
    expect(possibleNames(Array.from({ length: 200 }, (_, n) => `Name${n}`).join(' '))).toHaveLength(16)
  })
})

describe('a question addressed to the person it names', () => {
  test.each([
    ['When did Ada visit Rome?', ['ada'], 'When did you visit Rome?'],
    ["What are Ada's plans with Bob?", ['ada', 'bob'], 'What are your plans with you?'],
    ['Where does Ada Lovelace live?', ['ada lovelace'], 'Where does you live?'],
    ['Where does ADA live?', ['ada lovelace'], 'Where does you live?'],
    ['Adam and Canada', ['ada'], 'Adam and Canada'],
    ['Ada', ['ada'], undefined],
    ['Who is Ada?', ['ada'], undefined],
    ["O'Brien (ex.) cooks", ["o'brien (ex.)"], 'you cooks'],
  ])('%s', (query, speakers, put) => {
    expect(addressed(query, speakers)).toBe(put)
  })
  test('omits the name in other languages', () => {
    expect(addressed('Wann malte Ada das Bild?', ['ada'], 'de')).toBe('Wann malte das Bild?')
  })
})
