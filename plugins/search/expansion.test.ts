import { describe, expect, test } from 'bun:test'
import { relatedTerms } from './expansion.ts'

describe('relatedTerms', () => {
  test('takes words that several texts share, not those of the query, of one text, or of grammar', () => {
    const texts = ['The puppy chased a squirrel', 'A puppy sleeps in the kennel', 'the kennel of the dog']
    expect(relatedTerms(texts, ['dog'])).toEqual(['kennel', 'puppi'])
  })

  test('a word that one text repeats is still one text', () => {
    expect(relatedTerms(['echo echo echo echo', 'silence'], [])).toEqual([])
  })

  test('adds a handful at the most', () => {
    const text = 'alpha bravo charlie delta echo foxtrot golf hotel'
    expect(relatedTerms([text, text], [])).toHaveLength(6)
  })
})
