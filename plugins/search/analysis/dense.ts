import { wordSegments } from 'mneme/plugin'
import { CharacterClass, characterClass, isHan } from './scan.ts'

/** A character or a pair of characters of a run in a script without spaces. */
export interface Gram {
  text: string
  /** The number of characters before it in the run. */
  offset: number
  /** True for a pair, or for the only character of its run; a query for the run requires these. */
  whole: boolean
  /** True if it is distinctive enough to rank by. */
  telling: boolean
}

/**
 * Returns a character of a run and the pair that begins with it, so that any part of the run can be found. Dictionaries split the same words
 * differently in different contexts (and engines); pairs are stable. A combining mark has no entry by itself.
 *
 * @param characters the run in code points
 */
export function gramsAt(characters: readonly string[], offset: number): Gram[] {
  const character = characters[offset]
  if (character === undefined) return []
  const single = characters.length === 1
  const grams: Gram[] = []
  if (single || !isMark(character)) {
    grams.push({ text: character, offset, whole: single, telling: single || isHan(character.codePointAt(0) ?? 0) })
  }
  const next = characters[offset + 1]
  if (next !== undefined) grams.push({ text: character + next, offset, whole: true, telling: true })
  return grams
}

/**
 * Returns the fewest pairs that determine a run: every second one and the last. A single character stands for itself.
 *
 * @returns grams with the distance to the previous one
 */
export function coverOf(run: string): { text: string; offset: number }[] {
  const characters = Array.from(run)
  if (characters.length < 2) return [{ text: run, offset: 0 }]
  const last = characters.length - 2
  const cover: { text: string; offset: number }[] = []
  for (let offset = 0; offset <= last; offset += offset === last - 1 ? 1 : 2) {
    cover.push({ text: characters.slice(offset, offset + 2).join(''), offset })
  }
  return cover
}

/**
 * Splits a run into words by a dictionary, for ranking only. It is used for Thai and related scripts, whose letter
 * pairs are too common to distinguish texts; Chinese, Japanese and Korean rank well by pairs.
 */
export function wordsOf(run: string): { text: string; offset: number }[] {
  const words: { text: string; offset: number }[] = []
  let offset = 0
  for (const { segment, isWord } of wordSegments(run)) {
    const length = Array.from(segment).length
    if (isWord && length > 1) words.push({ text: segment, offset })
    offset += length
  }
  return words
}

function isMark(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const kind = characterClass(code)
  return kind === CharacterClass.mark || (kind === CharacterClass.southeast && /^\p{M}/u.test(character))
}
