import { describe, expect, test } from 'bun:test'
import { finish } from 'mneme/plugin'
import { cutAtWord, excerpt, tellingWords } from './excerpt.ts'

const FILLER = 'The meeting went on without a result for another while. '
const part = (text: string, query: string, max: number) => finish(excerpt(text, tellingWords(query), max))

describe('an excerpt', () => {
  const text = `${FILLER.repeat(20)}Grace is allergic to walnuts. She carries a pen. ${FILLER.repeat(20)}`.trim()

  test('is the part that holds the words of the query in any of their forms, with marks where text was left out', () => {
    const found = part(text, 'Which allergies does Grace have, is it a walnut?', 160)
    expect(found).toContain('Grace is allergic to walnuts.')
    expect(found).toMatch(/^… .+ …$/)
    expect(found.length).toBeLessThanOrEqual(160)
  })

  test('is the beginning where the text has no word of the query', () => {
    expect(part(text, 'Portugal', 150)).toBe(`${FILLER}${FILLER.trim()} …`)
  })

  test('ends without a mark where the text ends', () => {
    expect(part(`${FILLER.repeat(9)}Grace eats fish.`, 'fish', 80)).toBe(`… ${FILLER}Grace eats fish.`)
  })

  test('of one long sentence ends with a word', () => {
    expect(part('alpha '.repeat(100), 'alpha', 30)).toBe('alpha alpha alpha alpha …')
  })

  test('of a text without spaces is cut between characters, and never within one', () => {
    expect(part('👩‍🚀'.repeat(50), '', 33)).toBe(`${'👩‍🚀'.repeat(5)} …`)
    const japanese = part('猫は寝る。'.repeat(30).concat('犬は京都で走る。', '猫は寝る。'.repeat(30)), '京都の犬', 40)
    expect(japanese).toContain('犬は京都で走る。')
    expect(japanese.length).toBeLessThanOrEqual(40)
  })
})

test.each([
  ['shorter', 20, 'shorter'],
  ['one two three', 9, 'one two'],
  ['one two three', 7, 'one two'],
  ['unbreakable', 4, 'unbr'],
  ['a\uD83D\uDE00', 2, 'a'],
])('%p is cut to %d units as %p', (text, max, cut) => {
  expect(cutAtWord(text, max)).toBe(cut)
})
