import { lexicons, phrasePattern, sentencesIn, wordsOf } from 'mneme/plugin'
import type { RelationType, Span } from '../contract.ts'

const BESIDE = phrasePattern(wordsOf(lexicons.BESIDE, lexicons.SURELY_BESIDE))
const SURE = phrasePattern(wordsOf(lexicons.SURELY_BESIDE))
/** After a change "also" is of something else. */
const CHANGE = phrasePattern(wordsOf(lexicons.CHANGES, lexicons.NO_LONGER))

const TYPES: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'REPORTS_TO'])

/**
 * Tells whether a text says that something holds beside others of its kind. The rule is made to err towards one at a time: "I work
 * at B" after "I work at A" is a new job; "I also work at B", "part-time at B" and "B is my second job" are not; "I also joined B"
 * and "now I also …" are, for they tell a change.
 */
export function statesConcurrentFact(text: string, span: Span, type: RelationType): boolean {
  if (!TYPES.has(type)) return false
  const sentence = sentenceAround(text, span)
  return BESIDE.test(sentence) && (SURE.test(sentence) || !CHANGE.test(sentence))
}

/** The sentence that a fact was read from, or its part up to a semicolon, as far as it is near. */
function sentenceAround(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - NEAR_CHARS)
  const near = text.slice(from, end + NEAR_CHARS)
  const parts = sentencesIn(near).flatMap(sentence =>
    [...sentence.text.matchAll(/[^;]+/g)].map(part => {
      const begin = from + sentence.start + part.index
      return { text: part[0], begin, end: begin + part[0].length }
    }),
  )
  return parts
    .filter(part => part.begin < end && part.end > start)
    .map(part => part.text)
    .join(' ')
}

const NEAR_CHARS = 200
