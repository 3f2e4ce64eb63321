import { expect, test } from 'bun:test'
import { claimOf } from './claims.ts'

const claim = (text: string) => claimOf(text.split(' '))

test.each([
  ['i eat meat', "i don't eat meat anymore"],
  ["we're vegetarian", 'we are no longer vegetarian'],
  ['my phone number is 5', 'my new phone number is now 6'],
  ["i'm 34", 'i am 35 years old'],
])('"%s" and "%s" give one aspect two values', (one, other) => {
  expect(claim(one)?.aspect).toBe(claim(other)?.aspect ?? '')
  expect(claim(one)?.value).not.toBe(claim(other)?.value ?? '')
})

test.each(['i was at home', 'i drink coffee if i can', 'no', 'my phone is not here and not there'])(
  '"%s" is no claim for certain',
  text => {
    expect(claim(text)).toBeUndefined()
  },
)
