import { expect, test } from 'bun:test'
import { phrasePattern } from './words.ts'

test.each([
  [['used to'], 'I used  to smoke', 'used  to'],
  [['which/what city~'], 'In what cities?', undefined],
  [['which/what city~'], 'In WHICH CITYSCAPE?', 'WHICH CITYSCAPE'],
  [['may', 'may not'], 'it may not', 'may not'],
  [["l'", "c'est"], 'C’est bon', 'C’est'],
  [["l'"], "l'école", "l'"],
  [["l'"], "all'alba", undefined],
  [['no'], 'note', undefined],
  [['no'], 'piano', undefined],
  [['誰'], '昨日誰が', '誰'],
  [['a.m'], 'abm', undefined],
  [[], 'anything', undefined],
])('%j in %s', (wordings, text, found) => {
  expect(phrasePattern(wordings).exec(text)?.[0]).toBe(found)
})

test('at the start alone', () => {
  expect(phrasePattern(['no'], { atStart: true }).test('no, thanks')).toBe(true)
  expect(phrasePattern(['no'], { atStart: true }).test('oh no')).toBe(false)
})
