import { lexicons } from 'mneme/plugin'

/** Courtesies around a statement state nothing, so the comparison drops them. The longest phrase comes first. */
export const OPENINGS = phrases(lexicons.OPENING_COURTESIES)
/**
 * A courtesy that opens a statement without a pause may also follow it after one ("…, please remember that"). Greetings may not: "mum, dad,
 * hello" is a list.
 */
export const CLOSINGS = phrases([
  ...lexicons.CLOSING_COURTESIES,
  ...lexicons.OPENING_COURTESIES.filter(phrase => !phrase.includes('|')).map(phrase => `| ${phrase}`),
])

function phrases(list: readonly string[]): readonly (readonly string[])[] {
  return list.map(phrase => phrase.split(' ')).sort((a, b) => b.length - a.length)
}
