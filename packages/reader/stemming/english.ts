import { baseForm } from './english-irregular.ts'

/**
 * Stems an English word with the Porter2 (Snowball "english") algorithm over the base form of irregular words. The stemmer of
 * `@orama/stemmers` follows the older Porter algorithm and breaks "-tion" (adoption gives "adop", adopted gives "adopt"), which loses
 * matches in the most frequent language.
 *
 * @param word folded and in lower case; only words of the letters a to z (and an inner apostrophe) change
 * @see https://snowballstem.org/algorithms/english/stemmer.html
 */
export function stemEnglish(word: string): string {
  const base = baseForm(word) ?? word
  if (base.length <= 2 || base.length > LENGTH_MAX) return base
  const invariant = INVARIANT.get(base)
  if (invariant !== undefined) return invariant
  const plain = removePlural(markConsonantY(base))
  if (KEPT_AFTER_PLURAL.has(plain)) return plain
  const r1 = regionAfter(plain, 0)
  const tensed = replaceFinalY(removeTense(plain, r1))
  const r2 = regionAfter(plain, r1)
  return removeFinalE(shortenSuffix(derive(tensed, r1, r2), r2), r1, r2).replaceAll('Y', 'y')
}

/** Longer words are identifiers or noise; skipping them also bounds the work. */
const LENGTH_MAX = 40

const INVARIANT = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['sky', 'sky'],
  ['news', 'news'],
  ['howe', 'howe'],
  ['atlas', 'atlas'],
  ['cosmos', 'cosmos'],
  ['bias', 'bias'],
  ['andes', 'andes'],
])

const KEPT_AFTER_PLURAL = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'evening',
  'proceed',
  'exceed',
  'succeed',
])

/** The first region of these words starts later than the rule says, so that "universe" and "university" stay distinct. */
const LONG_PREFIXES = ['gener', 'commun', 'arsen', 'univers', 'organ', 'emerg', 'later', 'past']

/** Step 2 replaces these suffixes in R1; among those with a common ending the longest comes first. */
const STEP_2: readonly (readonly [suffix: string, replacement: string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]

const STEP_3: readonly (readonly [suffix: string, replacement: string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const STEP_4 = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
]

function isVowel(word: string, at: number): boolean {
  const letter = word.charCodeAt(at)
  return letter === 97 || letter === 101 || letter === 105 || letter === 111 || letter === 117 || letter === 121
}

/** A y at the start or after a vowel acts as a consonant and is written as Y until the end. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let marked = ''
  for (let i = 0; i < word.length; i++) {
    const consonant = word[i] === 'y' && (i === 0 || isVowel(marked, i - 1))
    marked += consonant ? 'Y' : word[i]
  }
  return marked
}

/** Finds the start of the region after the first consonant that follows a vowel, from `from` on. */
function regionAfter(word: string, from: number): number {
  if (from === 0) {
    const prefix = LONG_PREFIXES.find(p => word.startsWith(p))
    if (prefix !== undefined) return prefix.length
  }
  for (let i = from + 1; i < word.length; i++) if (!isVowel(word, i) && isVowel(word, i - 1)) return i + 1
  return word.length
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true
  return false
}

/** Checks whether the first `end` letters end in a short syllable ("hop", "at", but not "how" or "hoop"). */
function endsShort(word: string, end: number): boolean {
  if (end < 2 || isVowel(word, end - 1) || !isVowel(word, end - 2)) return false
  if (end === 2) return true
  const last = word[end - 1]
  return !isVowel(word, end - 3) && last !== 'w' && last !== 'x' && last !== 'Y'
}

function removePlural(word: string): string {
  if (!word.endsWith('s') && !word.endsWith('ied')) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

function removeTense(word: string, r1: number): string {
  for (const suffix of ['eedly', 'eed']) {
    if (word.endsWith(suffix)) return word.length - suffix.length >= r1 ? word.slice(0, 2 - suffix.length) : word
  }
  const suffix = ['ingly', 'edly', 'ing', 'ed'].find(s => word.endsWith(s))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (suffix === 'ing' && stem.length === 2 && stem[1] === 'y') return `${stem[0]}ie`
  if (!hasVowel(stem, stem.length)) return word
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.length > 3 || !isVowel(stem, 0) ? stem.slice(0, -1) : stem
  return r1 >= stem.length && endsShort(stem, stem.length) ? `${stem}e` : stem
}

function replaceFinalY(word: string): string {
  const last = word.length - 1
  const final = word[last] === 'y' || word[last] === 'Y'
  return final && last > 1 && !isVowel(word, last - 1) ? `${word.slice(0, last)}i` : word
}

/** Steps 2 and 3 shorten derivational suffixes. */
function derive(word: string, r1: number, r2: number): string {
  const second = STEP_2.find(([suffix]) => word.endsWith(suffix))
  let out = word
  if (second !== undefined && word.length - second[0].length >= r1) {
    const before = word[word.length - second[0].length - 1] ?? ''
    const allowed = second[0] === 'ogi' ? before === 'l' : second[0] !== 'li' || 'cdeghkmnrt'.includes(before)
    if (allowed) out = word.slice(0, -second[0].length) + second[1]
  }
  const third = STEP_3.find(([suffix]) => out.endsWith(suffix))
  if (third === undefined) return out
  return out.length - third[0].length >= (third[0] === 'ative' ? r2 : r1)
    ? out.slice(0, -third[0].length) + third[1]
    : out
}

function shortenSuffix(word: string, r2: number): string {
  const suffix = STEP_4.find(s => word.endsWith(s))
  if (suffix === undefined || word.length - suffix.length < r2) return word
  const before = word[word.length - suffix.length - 1]
  if (suffix === 'ion' && before !== 's' && before !== 't') return word
  return word.slice(0, -suffix.length)
}

function removeFinalE(word: string, r1: number, r2: number): string {
  const last = word.length - 1
  if (word[last] === 'l') return last >= r2 && word[last - 1] === 'l' ? word.slice(0, last) : word
  if (word[last] !== 'e') return word
  return last >= r2 || (last >= r1 && !endsShort(word, last)) ? word.slice(0, last) : word
}
