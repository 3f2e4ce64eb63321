import { expect, test } from 'bun:test'
import { failureReason, messageOf } from './failure-reason.ts'
import { isStorableText, storableFileName, storableText } from './storable-text.ts'

test('a text is stored without NUL, cut to its maximum, and half a character is replaced', () => {
  expect(storableText('a\0b😀', 3)).toBe('ab\ufffd')
  expect(storableText('a\ud800b')).toBe('a\ufffdb')
  expect(isStorableText(storableText('\0\udc00'))).toBe(true)
})

test('a text with NUL or half a character cannot be stored', () => {
  expect(['a', 'a\0', '\ud800'].map(isStorableText)).toEqual([true, false, false])
})

test('the name of a file has no control characters, and none is kept where nothing else is left', () => {
  expect(storableFileName(' a\n\0b.txt ')).toBe('ab.txt')
  expect(storableFileName('x'.repeat(300))).toHaveLength(255)
  expect([undefined, ' \n'].map(storableFileName)).toEqual([null, null])
})

test('a long name of a file keeps its ending, which tells the format', () => {
  expect(storableFileName(`${'x'.repeat(300)}.md`)).toBe(`${'x'.repeat(252)}.md`)
  expect(storableFileName(`a.${'x'.repeat(300)}`)).toBe(`a.${'x'.repeat(253)}`)
})

test('users read why work was given up, and nothing of what the database says', () => {
  const fromDatabase = Object.assign(new Error('row "secret"'), { name: 'PostgresError' })
  expect(failureReason('Reading', 3, fromDatabase)).toBe(
    'Reading failed after 3 attempts: the result could not be stored',
  )
  expect(failureReason('Reading', 3, new Error('away\0'))).toBe('Reading failed after 3 attempts: away')
  expect(failureReason('Reading', 3, new Error('x'.repeat(600)))).toHaveLength(500)
})

test('whatever is thrown has a message', () => {
  expect([new Error('away'), 'gone', 7].map(messageOf)).toEqual(['away', 'gone', '7'])
})
