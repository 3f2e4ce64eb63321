import { expect, test } from 'bun:test'
import { askedByUser } from './index.ts'

test.each([
  ['Where does the user work?', 'Where does I work?'],
  ["Who is the user's manager?", 'Who is my manager?'],
  ['Wo wohnt Ana?', 'Wo wohnt Ana?'],
  ['User’s boss?', 'my boss?'],
  ['Who designed the user interface?', 'Who designed the user interface?'],
  ['Who wrote the user-facing text?', 'Who wrote the user-facing text?'],
  ['Which user likes tea?', 'Which user likes tea?'],
  ['What do the users like?', 'What do the users like?'],
])('"%s" is read as "%s"', (asked, read) => {
  expect(askedByUser(asked)).toBe(read)
})
