import { lexicons } from 'mneme/plugin'

/** Courtesies around a statement state nothing, so the comparison drops them. The longest phrase comes first. */
export const OPENINGS = phrases(lexicons.OPENING_COURTESIES)
export const CLOSINGS = phrases(lexicons.CLOSING_COURTESIES)

function phrases(list: readonly string[]): readonly (readonly string[])[] {
  return list.map(phrase => phrase.split(' ')).sort((a, b) => b.length - a.length)
}
