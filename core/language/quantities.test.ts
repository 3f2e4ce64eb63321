import { expect, test } from 'bun:test'
import { numbersIn } from './quantities.ts'

test.each([
  ['Two cats and 3 dogs at 10:30, 1.5 kg', ['3', '10:30', '1.5', 'Two']],
  ['zwei Katzen, dos gatos, deux chats', ['zwei', 'dos', 'deux']],
  ['٣ قطط', ['٣']],
  ['someone, often, twofold', []],
])('numbers in %s', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers)
})
