import { expect, test } from 'bun:test'
import { monthNames, monthOf } from './months.ts'

test('months are named from January on, alone and beside a day', () => {
  expect(monthNames('en').alone[0]).toBe('january')
  expect(monthNames('fr').alone[11]).toBe('décembre')
  expect(monthNames('ru')).toMatchObject({ alone: { 4: 'май' }, besideDay: { 4: 'мая' } })
  expect(monthNames('ru').alone).toHaveLength(12)
})

test.each([
  ['march', 2],
  ['Sept', 8],
  ['mär', 2],
  ['Fév', 1],
  ['fev', 1],
  ['ago', 7],
  ['Dez', 11],
])('%s: a month', (word, month) => {
  expect(monthOf(word, ['en', 'de', 'es', 'fr'])).toBe(month)
})

test.each(['ma', 'marching', 'year', ''])('%s: no month', word => {
  expect(monthOf(word, ['en', 'de', 'es', 'fr'])).toBeUndefined()
})

test('a language that is not asked for names no month', () => {
  expect(monthOf('ene', ['en'])).toBeUndefined()
})
