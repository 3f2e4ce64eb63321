import { expect, test } from 'bun:test'
import { oneLine } from './normalize.ts'

test('a text is put on one line whatever ends its lines', () => {
  expect(oneLine(' a\r\n\u0085b\u2028\tc\u0000d ')).toBe('a b c d')
})
