import { fold } from './fold.ts'
import type { Gazetteers } from './gazetteers.ts'
import type { Language } from './language.ts'
import { NEVER_NAMES, ORGANIZATION_HEADS, ORGANIZATION_TAILS, PLACE_HEADS } from './name-words.ts'
import { isEnglishWord, type Unit } from './units.ts'
import { COMMON_WORDS, LOWER_CASE_TECHNOLOGIES } from './word-lists.ts'

export const TITLES = /^(?:dr|mrs?|ms|prof|sra?|mme)\.?$/
const PARTICLES = new Set(words('de da do dos del della di du van von der den la le el al bin ibn ten ter y af av st'))
const INNER = new Set(words('of for and & the on des du de la los las y'))

function words(list: string): string[] {
  return list.split(' ')
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
  if (TITLES.test(unit.lower) && /^\p{Lu}/u.test(unit.text))
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

/** A sentence's first word before a name: "Ask Imani", "Per Slack". */
const LEADS: ReadonlySet<string> = new Set(
  words(
    'ask tell call email ping meet text remind invite thank visit per via re cc introduce introduced contact loop message see join follow with cambié dejé reemplacé sustituí',
  ),
)
/** Months and days that are first names too, where a family name follows. */
const MONTH_NAMES: ReadonlySet<string> = new Set(words('jan jun april june august may mai'))

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
  if (/^(?:bei|chez|von|zu|für)$/.test(before)) return !GERMAN_TIMES.test(units[at]?.lower ?? '')
  if (/^(?:ist|heißt)$/.test(before) && GERMAN_KIN.test(units[at - 2]?.lower ?? '')) return true
  return at === 0 && run === 2 && GERMAN_VERBS.test(after) && !GERMAN_TIMES.test(units[0]?.lower ?? '')
}
const GERMAN_VERBS =
  /^(?:ist|hat|war|arbeitet|wohnt|lebt|mag|liebt|hasst|benutzt|nutzt|verwendet|kennt|leitet|zieht|zog|studiert|heißt|kommt|besitzt|fährt)$/
const GERMAN_KIN =
  /^(?:chefin|chef|vorgesetzte|vorgesetzter|mann|frau|schwester|bruder|tochter|sohn|mutter|vater|freund|freundin|kollege|kollegin|arzt|ärztin)$/
const GERMAN_TIMES = /^(?:gestern|heute|morgen|letzten|letzte|letztes|frau|herr|anfang|ende|mitte)$/

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
    if (inner[0] === 'and' && length === 1 && /^(?:partners|sons|co|company|associates)$/.test(next.lower))
      return length
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
