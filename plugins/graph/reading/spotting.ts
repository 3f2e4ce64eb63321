import { trimEndSigns, UNSPACED_LETTERS, withoutClitics } from 'mneme/plugin'
import { isNoName } from 'text-reader/inquiries'
import { normalName } from '../resolve/normal-name.ts'

/** Words of a text that are looked at for names. */
const WORDS_MAX = 80
/** Words of one name. */
const NAME_WORDS_MAX = 5
const NAMES_MAX = 400
/** Characters of one name in a script that does without spaces. */
const DENSE_NAME_MAX = 6

/** A stretch of a text that could be a name. */
export interface PossibleName {
  readonly normal: string
  /** Its first and last word, counted from 0, so that of two names the longer one wins. */
  readonly first: number
  readonly last: number
  /** The words themselves, as they were typed. */
  readonly typed: string
}

/**
 * Everything in a text that could be a name: each stretch of up to five words, with and without what a genitive adds. The
 * longest come first, and there is a bound.
 */
export function possibleNames(text: string): PossibleName[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, WORDS_MAX)
  const found = new Map<string, PossibleName>()
  const add = (typed: string, first: number, last: number) => {
    const normal = normalName(typed)
    if (normal.length < 2 || found.size >= NAMES_MAX || found.has(normal)) return
    found.set(normal, { normal, first, last, typed })
  }
  for (let length = Math.min(NAME_WORDS_MAX, words.length); length >= 1; length--) {
    for (let first = 0; first + length <= words.length; first++) {
      const last = first + length - 1
      const stretch = words.slice(first, last + 1).join(' ')
      if (length === 1 && isNoName(stretch)) continue
      // A sentence's mark between two words ends a name.
      if (/[,;:!?]\s/u.test(stretch)) continue
      add(stretch, first, last)
      for (const bare of withoutEnding(stretch)) add(bare, first, last)
    }
  }
  for (const [at, word] of words.entries()) for (const part of denseParts(word)) add(part, at, at)
  return [...found.values()]
}

/** "Anna's", "Annas", "l'Oréal", "d'Anna". */
function withoutEnding(stretch: string): string[] {
  const bare = trimEndSigns(stretch, /[\p{P}\s]/u)
  const forms = [withoutClitics(bare.replaceAll('’', "'"))]
  if (/\p{L}{3}s$/u.test(bare) && /^\p{Lu}/u.test(bare)) forms.push(bare.slice(0, -1))
  return forms.filter(form => form !== stretch)
}

const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')

/** Stretches of a word in a script without spaces. */
function denseParts(word: string): string[] {
  const letters = [...word]
  if (!UNSPACED.test(word)) return []
  const parts: string[] = []
  for (let length = Math.min(DENSE_NAME_MAX, letters.length); length >= 2; length--) {
    for (let at = 0; at + length <= letters.length; at++) parts.push(letters.slice(at, at + length).join(''))
  }
  return parts
}

/** Keeps the names that no longer match covers. */
export function longestNames<T extends Pick<PossibleName, 'first' | 'last'>>(names: readonly T[]): T[] {
  const covers = (a: T, b: T) => a.first <= b.first && a.last >= b.last && a.last - a.first > b.last - b.first
  return names.filter(name => !names.some(other => covers(other, name)))
}
