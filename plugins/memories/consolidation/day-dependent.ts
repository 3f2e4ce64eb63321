import { lexicons, wordSet } from 'mneme/plugin'
import { tokensOf } from './tokens.ts'

/**
 * Decides whether the meaning of a text depends on the day it is said: "We meet tomorrow", "Ada called on Monday". The same words on
 * another day make another statement.
 */
export function dependsOnDay(text: string): boolean {
  if (lexicons.UNSPACED_DAYS.test(text)) return true
  const words = tokensOf(text).flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []))
  return words.some((word, index) => {
    if (DAYS.has(word)) return true
    return POINTING.has(word) && (SPANS.has(words[index - 1] ?? '') || SPANS.has(words[index + 1] ?? ''))
  })
}

/** A statement tied to a day and repeated within this time is about the same day. */
const SAME_MOMENT_MS = 3_600_000

/** Tells whether two instants are so close that words tied to a day mean the same one. */
export function areOfOneMoment(one: Date, other: Date): boolean {
  return Math.abs(other.getTime() - one.getTime()) <= SAME_MOMENT_MS
}

const DAYS = wordSet(lexicons.DAYS)
const POINTING = wordSet(lexicons.POINTING_WORDS)
const SPANS = wordSet(lexicons.TIME_SPANS)
