import { expect, test } from 'bun:test'
import { numbersIn, tellsQuantity } from './quantities.ts'

test.each([
  ['Two cats and 3 dogs at 10:30, 1.5 kg', ['3', '10:30', '1.5', 'Two']],
  ['zwei Katzen, dos gatos, deux chats', ['zwei', 'dos', 'deux']],
  ['٣ قطط', ['٣']],
  ['someone, often, twofold', []],
])('numbers in %s', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers)
})

test.each(['3 cats', 'two cats', 'several cats', 'half a cat', 'zwei Katzen'])('%s: a quantity', text => {
  expect(tellsQuantity(text)).toBe(true)
})

test.each(['a cat', 'some weight', 'a threefold cat', ''])('%s: no quantity', text => {
  expect(tellsQuantity(text)).toBe(false)
})
