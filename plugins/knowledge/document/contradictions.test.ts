import { expect, test } from 'bun:test'
import { contradicted } from './contradictions.ts'
import { statement } from './document.test-support.ts'

/** Which of some texts, told one after the other, are over. */
const over = (...texts: string[]) => {
  const statements = texts.map((text, n) => statement(n, text))
  const found = contradicted(statements)
  return statements.filter(one => found.has(one)).map(({ text }) => text)
}

test.each([
  ['I am vegetarian.', "I'm not vegetarian anymore."],
  ['I eat meat.', "I don't eat meat."],
  ["I don't drink coffee.", 'I drink coffee now.'],
  ['I smoke.', 'I no longer smoke.'],
  ["We're vegetarian.", 'We are not vegetarian anymore.'],
  ['I never work on Fridays.', 'I work on Fridays.'],
  ['My phone number is 555-1234.', 'My phone number is 555-9999.'],
  ['My favourite book is Dune.', 'My favourite book is now Emma.'],
  ['My new email address is a@b.org.', 'My email address is c@d.org.'],
  ["Ada's birthday is 3 May.", "Ada's birthday is 4 May."],
  ['I am 34 years old.', "I'm 35."],
  ["The user's time zone is UTC.", "The user's time zone is CET."],
])('"%s" is over after "%s"', (before, after) => {
  expect(over(before, after)).toEqual([before])
})

test.each([
  ['I am vegetarian.', "I'm not vegan anymore."],
  ['I like tea.', 'I like coffee.'],
  ['My favourite book is Dune.', 'My favourite book is Dune by Frank Herbert.'],
  ['My favourite book is Dune.', 'My favourite film is Alien.'],
  ["Ada's age is 30.", "Bo's age is 40."],
  ['My work phone is 1.', 'My home phone is 2.'],
  ['My sister is a nurse.', 'My sister is in Rome.'],
  ['I was at home.', 'I was not at home.'],
  ['I drink coffee.', "I don't drink coffee if I can't sleep."],
  ['I like all cats.', "I don't like all cats."],
  ['I am 34 years old.', 'I am 34.'],
])('"%s" may hold beside "%s"', (before, after) => {
  expect(over(before, after)).toEqual([])
})

test('what is said again holds again', () => {
  expect(over('I eat meat.', "I don't eat meat.", 'I eat meat again and I eat meat.')).toEqual(['I eat meat.'])
  expect(over('I eat meat.', 'I do not eat meat!', 'I EAT MEAT')).toEqual(['I eat meat.', 'I do not eat meat!'])
})
