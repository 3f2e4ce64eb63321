import type { EntityType } from '../../contract.ts'
import { fold } from './fold.ts'
import type { Gazetteers } from './gazetteers.ts'
import { smallName } from './informal.ts'
import type { Language } from './language.ts'
import {
  NEVER_NAMES,
  ORGANIZATION_HEADS,
  ORGANIZATION_TAILS,
  PLACE_HEADS,
  PLACE_TAILS,
  THING_HEADS,
} from './name-words.ts'
import type { Unit } from './units.ts'
import { COMMON_WORDS, LOWER_CASE_TECHNOLOGIES } from './word-lists.ts'

/** A name in a sentence. */
export interface Mention {
  readonly name: string
  readonly start: number
  readonly end: number
  /** What it is by itself; undefined when only the words around can tell. */
  readonly type: EntityType | undefined
  /** 0 to 1: that it is a name, and of this type. Below {@link SURE} only a relation makes an entity of it. */
  readonly confidence: number
}

export const SURE = 0.5

/** A sentence with its names found: each piece is a name or a single unit. */
export interface Piece {
  readonly unit: Unit
  readonly mention: Mention | undefined
}

const TITLES = /^(?:dr|mrs?|ms|prof|sra?|mme)\.?$/
const PARTICLES = new Set(
  words('de da do dos del della di du van von der den la le el al bin ibn ten ter zu y af av st'),
)
const INNER = new Set(words('of for and & the on des du de la los las y'))

function words(list: string): string[] {
  return list.split(' ')
}

export function findPieces(units: readonly Unit[], language: Language, gazetteers: Gazetteers): Piece[] {
  const pieces: Piece[] = []
  const shouted = isTitleCase(units)
  for (let i = 0; i < units.length; ) {
    const unit = units[i]
    if (!unit) break
    const small = shouted || /^\p{Ll}/u.test(unit.text) ? smallName(units, i, gazetteers) : undefined
    if (small && language === 'en') {
      const { length, mention } = small
      pieces.push({ unit: { ...unit, text: mention.name, end: mention.end }, mention })
      i += length
      continue
    }
    const length = shouted ? 0 : nameLength(units, i, language, gazetteers)
    const mention = length > 0 ? readMention(units, i, length, language, gazetteers) : undefined
    if (!mention) {
      pieces.push({ unit, mention: undefined })
      i++
      continue
    }
    const last = units[i + length - 1] ?? unit
    pieces.push({ unit: { ...unit, text: mention.name, end: last.end }, mention })
    i += length
  }
  return pieces
}

/** In a heading or a shout capitals tell nothing. */
function isTitleCase(units: readonly Unit[]): boolean {
  const long = units.filter(({ text }) => /^\p{L}/u.test(text))
  if (long.length < 5) return false
  const small = long
    .filter(({ text }) => /^\p{Lu}/u.test(text))
    .filter(({ lower }) => COMMON_WORDS.has(lower) || NEVER_NAMES.has(lower))
  return small.length >= 3 && long.filter(({ text }) => /^\p{Lu}/u.test(text)).length >= 0.8 * long.length
}

function isCapital({ text, lower }: Unit): boolean {
  return (/^\p{Lu}/u.test(text) || /^\p{Ll}\p{Lu}/u.test(text)) && !NEVER_NAMES.has(lower) && !/^\p{Lu}$/u.test(text)
}

/** Units of the name that begins here; 0 where none does. */
function nameLength(units: readonly Unit[], at: number, language: Language, gazetteers: Gazetteers): number {
  const listed = listedLength(units, at, gazetteers)
  const unit = units[at]
  if (!unit) return 0
  if (TITLES.test(unit.lower) && /^\p{Lu}/u.test(unit.text))
    return 1 + (units[at + 1] ? runLength(units, at + 1, gazetteers) : 0)
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
  return gazetteers.firstNames.has(fold(first.text)) || run === 1 || /^\p{Lu}{2,}$/u.test(first.text) ? run : 1
}

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
    else if (unit && i > at && isVersion(unit, units[i + 1], units[i - 1])) end = ++i
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

function joined(units: readonly Unit[], at: number, length: number): string {
  let name = ''
  let end = units[at]?.start ?? 0
  for (const unit of units.slice(at, at + length)) {
    name += (unit.start > end ? ' ' : '') + unit.text
    end = unit.end
  }
  return name
}

function readMention(
  units: readonly Unit[],
  at: number,
  length: number,
  language: Language,
  gazetteers: Gazetteers,
): Mention | undefined {
  const first = units[at]
  const last = units[at + length - 1]
  if (!first || !last) return undefined
  const titled = length > 1 && TITLES.test(first.lower)
  const from = titled ? at + 1 : at
  const name = joined(units, from, at + length - from)
  const span = { start: units[from]?.start ?? first.start, end: last.end }
  const kind = kindAfter(units[at + length]?.lower ?? '')
  if (kind && !titled) return { name, ...span, type: kind, confidence: 0.9 }
  if (isHouse(units[at - 1], name)) return { name, ...span, type: undefined, confidence: 0.1 }
  const listed = titled ? { type: 'PERSON' as const, confidence: 0.95 } : typeOf(name, gazetteers)
  const opens = at === 0 || /^[.!?:"“(•\-–]$/.test(units[at - 1]?.text ?? '')
  const isVerb = opens && length === 1 && /^(?:VERB|AUX)$/.test(first.pos)
  const acts = /^(?:VERB|AUX|PUNCT)$/.test(units[at + 1]?.pos ?? 'PUNCT')
  if (listed?.type === 'ORGANIZATION' && listed.confidence < 0.8 && length === 1 && opens && (isVerb || !acts))
    return { name, ...span, type: undefined, confidence: 0.15 }
  if (listed) return { name, ...span, ...listed }
  // "Talked to Ngozi", "Dinner with Grace": a sentence that begins with a word.
  if (at === 0 && length === 1 && language === 'en' && PLAIN_POS.test(first.pos)) return undefined
  return { name, ...span, ...guess(units, at, length, opens, language) }
}

const PLAIN_POS = /^(?:VERB|NOUN|ADJ|ADV|AUX|ADP|SCONJ|PRON|DET|INTJ)$/

/** "the Growth team", "the Orbit library". */
function kindAfter(word: string): EntityType | undefined {
  if (/^(?:team|department|division|choir|foundation)$/.test(word)) return 'ORGANIZATION'
  return /^(?:service|app|library|framework|project|package|plugin|compiler|game|model)$/.test(word)
    ? 'THING'
    : undefined
}

/** "14 Rue des Lilas" is an address. */
function isHouse(before: Unit | undefined, name: string): boolean {
  return (
    /^\d+\p{L}?$/u.test(before?.text ?? '') &&
    / (?:street|st|road|rd|avenue|lane|drive)$|^(?:rue|calle|via|avenida|avenue)\b/i.test(name)
  )
}

/** Below it a town's name may well be somebody's whom no list knows. */
const SMALL_TOWN = 100_000

/** What lists and the name's own words tell. */
export function typeOf(name: string, gazetteers: Gazetteers): { type: EntityType; confidence: number } | undefined {
  const folded = fold(name)
  const parts = folded.split(/[ ]+/)
  const head = parts[0] ?? ''
  const tail = parts.at(-1) ?? ''
  if (gazetteers.technologies.has(folded) || LOWER_CASE_TECHNOLOGIES.has(folded))
    return { type: 'THING', confidence: 0.9 }
  if (parts.length > 1 && ORGANIZATION_TAILS.has(tail)) return { type: 'ORGANIZATION', confidence: 0.9 }
  if (parts.length > 1 && ORGANIZATION_HEADS.has(head)) return { type: 'ORGANIZATION', confidence: 0.9 }
  if (parts.length > 1 && THING_HEADS.has(head)) return { type: 'THING', confidence: 0.8 }
  const place = gazetteers.places.get(folded)
  const person = gazetteers.firstNames.has(head) && !(parts.length > 2 && gazetteers.places.has(head))
  if (place !== undefined && !(person && parts.length === 1 && place < 400_000))
    return { type: 'PLACE', confidence: person || (parts.length === 1 && place < SMALL_TOWN) ? 0.65 : 0.85 }
  if (gazetteers.brands.has(folded) && !person) return { type: 'ORGANIZATION', confidence: 0.75 }
  if (parts.length > 1 && (PLACE_HEADS.has(head) || PLACE_TAILS.has(tail))) return { type: 'PLACE', confidence: 0.8 }
  if (person && !/\d/.test(name)) return { type: 'PERSON', confidence: parts.length > 1 ? 0.95 : 0.85 }
  const simple = parts.length > 1 && gazetteers.technologies.has(parts.slice(0, -1).join(' ')) && /^[\d.]+$/.test(tail)
  return simple ? { type: 'THING', confidence: 0.85 } : undefined
}

function guess(
  units: readonly Unit[],
  at: number,
  length: number,
  opens: boolean,
  language: Language,
): { type: EntityType | undefined; confidence: number } {
  const unit = units[at]
  const name = joined(units, at, length)
  if (length === 1 && (LOUD.test(name) || (unit && COMMON_WORDS.has(unit.lower))))
    return { type: undefined, confidence: 0.2 }
  if (/\d$/.test(name)) return { type: 'THING', confidence: language === 'de' ? 0.3 : 0.7 }
  const plain = /^[\p{L}\p{M}'’. -]+$/u.test(name) && !/\p{Ll}\p{Lu}/u.test(name.replace(/(?:Mc|Mac|O['’])/g, ''))
  if (length > 1 && length < 5 && plain && !(opens && language === 'de'))
    return { type: 'PERSON', confidence: opens && unit?.pos === 'VERB' ? 0.4 : 0.65 }
  if (language === 'de') return { type: undefined, confidence: 0.2 }
  return { type: undefined, confidence: opens && unit?.pos !== 'PROPN' ? 0.15 : 0.4 }
}

/** An acronym or a shout that no list knows. */
const LOUD = /^[\p{Lu}\d-]{2,}$/u
