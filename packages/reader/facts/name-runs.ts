import { lexicons, wordSet } from '../index.ts'
import { fold, type Gazetteers, LOWER_CASE_TECHNOLOGIES } from './gazetteers.ts'
import type { Language } from './parts.ts'
import { isEnglishWord, type Unit } from './units.ts'

const TITLES = wordSet(lexicons.TITLES)
const PARTICLES = wordSet(lexicons.NAME_PARTICLES)
const INNER = wordSet(lexicons.INNER_NAME_WORDS)
const PARTNERS = wordSet(lexicons.PARTNER_TAILS)
const LEADS = wordSet(lexicons.NAME_LEADS)
const MONTH_NAMES = wordSet(lexicons.MONTHS_AS_NAMES)

/** @param word in lower case */
export function isTitle(word: string): boolean {
  return TITLES.has(word.replace(/\.$/, ''))
}

/** In a heading or a shout capitals tell nothing. */
export function isTitleCase(units: readonly Unit[]): boolean {
  const long = units.filter(({ text }) => /^\p{L}/u.test(text))
  if (long.length < 5) return false
  const small = long
    .filter(({ text }) => /^\p{Lu}/u.test(text))
    .filter(({ lower }) => COMMON_WORDS.has(lower) || NEVER_NAMES.has(lower))
  return small.length >= 3 && long.filter(({ text }) => /^\p{Lu}/u.test(text)).length >= 0.8 * long.length
}

function isCapital({ text, lower }: Unit): boolean {
  return (
    (/^\p{Lu}/u.test(text) || /^\p{Ll}\p{Lu}/u.test(text)) &&
    (!NEVER_NAMES.has(lower) || text === 'TU') &&
    !/^\p{Lu}$/u.test(text)
  )
}

/** Units of the name that begins here; 0 where none does. */
export function nameLength(units: readonly Unit[], at: number, language: Language, gazetteers: Gazetteers): number {
  const listed = listedLength(units, at, gazetteers)
  const unit = units[at]
  if (!unit) return 0
  if (isTitle(unit.lower) && /^\p{Lu}/u.test(unit.text))
    return 1 + (units[at + 1] ? runLength(units, at + 1, gazetteers) : 0)
  const later = units[at + 1]
  if (at === 0 && LEADS.has(unit.lower) && listed < 2 && later && isCapital(later)) return 0
  if (MONTH_NAMES.has(unit.lower) && /^\p{Lu}\p{Ll}/u.test(unit.text) && later && isCapital(later))
    return 1 + runLength(units, at + 1, gazetteers)
  if (!isCapital(unit))
    return LOWER_CASE_TECHNOLOGIES.has(unit.lower) ? 1 : listed > 1 && /^\p{Lu}/u.test(unit.text) ? listed : 0
  if (language === 'de') return Math.max(listed, germanRun(units, at, gazetteers))
  const run = Math.max(listed, runLength(units, at, gazetteers))
  return at === 0 && run === 1 && listed === 0 && COMMON_WORDS.has(unit.lower) && !gazetteers.brands.has(unit.lower)
    ? 0
    : run
}

/** German writes every noun with a capital: only what may be a name goes together. */
function germanRun(units: readonly Unit[], at: number, gazetteers: Gazetteers): number {
  const first = units[at]
  if (!first) return 0
  const run = runLength(units, at, gazetteers)
  const tail = units[at + run - 1]?.lower ?? ''
  const named =
    run > 1 &&
    (ORGANIZATION_TAILS.has(tail) || ORGANIZATION_HEADS.has(fold(first.text)) || isNamedBefore(units, at, run))
  return named || gazetteers.firstNames.has(fold(first.text)) || run === 1 || /^\p{Lu}{2,}$/u.test(first.text) ? run : 1
}

/** "bei Delivery Hero", "Ngozi Eze arbeitet": by what stands before and after. */
function isNamedBefore(units: readonly Unit[], at: number, run: number): boolean {
  const before = units[at - 1]?.lower ?? ''
  const after = units[at + run]?.lower ?? ''
  const isOpening = GERMAN_BEGINNINGS.has(units[at]?.lower ?? '')
  if (GERMAN_PREPOSITIONS.has(before)) return !isOpening
  if (/^(?:ist|heißt)$/.test(before) && GERMAN_KIN.has(units[at - 2]?.lower ?? '')) return true
  return at === 0 && run === 2 && GERMAN_VERBS.has(after) && !isOpening
}

const GERMAN_PREPOSITIONS = wordSet(lexicons.BEFORE_GERMAN_NAMES)
const GERMAN_VERBS = wordSet(lexicons.BEHIND_GERMAN_NAMES)
const GERMAN_KIN = wordSet(lexicons.KIN_BEFORE_NAMES.de)
const GERMAN_BEGINNINGS = wordSet(lexicons.BEGINNINGS_OF_GERMAN_SENTENCES)

function listedLength(
  units: readonly Unit[],
  at: number,
  { places, technologies, brands, wordsMax }: Gazetteers,
): number {
  if (!/^[\p{Lu}.]/u.test(units[at]?.text ?? '')) return 0
  for (let length = Math.min(wordsMax, units.length - at); length > 0; length--) {
    const name = fold(joined(units, at, length))
    if (technologies.has(name) || (length > 1 && (places.has(name) || brands.has(name)))) return length
  }
  return 0
}

function runLength(units: readonly Unit[], at: number, gazetteers: Gazetteers): number {
  let end = at
  for (let i = at; i < units.length && i < at + 8; ) {
    const unit = units[i]
    if (unit && isCapital(unit)) end = ++i
    else if (
      unit &&
      i > at &&
      isVersion(unit, units[i + 1], units[i - 1]) &&
      (i > at + 1 || isProduct(units[at], gazetteers))
    )
      end = ++i
    else {
      const gap = innerLength(units, at, i)
      if (gap === 0 || isList(units.slice(i - 1, i + 2), gazetteers)) break
      i += gap
    }
  }
  return end - at
}

/** "Lagos & London" are two, "Marks & Spencer" one. */
function isList([before, link, after]: readonly Unit[], { places, technologies, firstNames }: Gazetteers): boolean {
  return (
    link?.text === '&' &&
    [before, after].every(unit => {
      const name = fold(unit?.text ?? '')
      return places.has(name) || technologies.has(name) || firstNames.has(name)
    })
  )
}

/** "Pixel 8", "Node 18", but not "March 2027" or "Berlin 3 %". */
function isVersion({ text }: Unit, next: Unit | undefined, previous: Unit | undefined): boolean {
  return (
    /^\d{1,3}(?:\.\d+)*$/.test(text) &&
    previous?.text !== ',' &&
    (!next || /^[.,;!?)a-z]/.test(next.text)) &&
    next?.text !== '%'
  )
}

/** "Emre 15" and "Room 2" are counts. */
function isProduct(unit: Unit | undefined, { firstNames, technologies, brands }: Gazetteers): boolean {
  const name = fold(unit?.text ?? '')
  return technologies.has(name) || brands.has(name) || (!firstNames.has(name) && !isEnglishWord(name))
}

/** Small words inside a name: "de" in "Pieter de Vries", "of" in "University of Bologna". */
function innerLength(units: readonly Unit[], from: number, at: number): number {
  if (at === from) return 0
  const organization = units
    .slice(from, at)
    .some(({ lower }) => ORGANIZATION_HEADS.has(lower) || PLACE_HEADS.has(lower))
  for (let length = 1; length <= 2; length++) {
    const inner = units.slice(at, at + length).map(({ lower }) => lower)
    const next = units[at + length]
    if (!next || !isCapital(next)) continue
    if (inner.every(word => PARTICLES.has(word)) && !inner.includes('st'))
      return inner.includes('y') && !organization ? 0 : length
    if (inner.every(word => INNER.has(word)) && (organization || inner[0] === '&')) {
      const isList = inner[0] === 'and' || inner[0] === 'y'
      if (!isList || ORGANIZATION_TAILS.has(next.lower)) return length
    }
    if (inner[0] === 'and' && length === 1 && PARTNERS.has(next.lower)) return length
    if (inner[0] === '&' && length === 1) return length
    const owned = length === 1 && (inner[0] === "'s" || inner[0] === "'")
    if (owned && (ORGANIZATION_TAILS.has(next.lower) || ORGANIZATION_HEADS.has(next.lower))) return length
  }
  return 0
}

export function joined(units: readonly Unit[], at: number, length: number): string {
  let name = ''
  let end = units[at]?.start ?? 0
  for (const unit of units.slice(at, at + length)) {
    name += (unit.start > end ? ' ' : '') + unit.text
    end = unit.end
  }
  return name
}

/** The library's words within names, as sets. */

export const ORGANIZATION_TAILS = wordSet(lexicons.ORGANIZATION_TAILS)
export const ORGANIZATION_HEADS = wordSet(lexicons.ORGANIZATION_HEADS)
export const PLACE_HEADS = wordSet(lexicons.PLACE_HEADS)
export const PLACE_TAILS = wordSet(lexicons.PLACE_TAILS)
export const THING_HEADS = wordSet(lexicons.THING_HEADS)
export const ORGANIZATION_VERBS = wordSet(lexicons.ORGANIZATION_VERBS)
export const PERSON_VERBS = wordSet(lexicons.PERSON_VERBS)
export const NEVER_NAMES = wordSet(lexicons.NEVER_NAMES)
export const COMMON_WORDS = wordSet(lexicons.COMMON_WORDS)
