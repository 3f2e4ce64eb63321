import { lexicons, wordSet } from '../index.ts'
import { fold, type Gazetteers, LOWER_CASE_TECHNOLOGIES } from './gazetteers.ts'
import { smallName } from './informal.ts'
import type { EntityType } from './kinds.ts'
import {
  COMMON_WORDS,
  isTitle,
  isTitleCase,
  joined,
  nameLength,
  ORGANIZATION_HEADS,
  ORGANIZATION_TAILS,
  ORGANIZATION_VERBS,
  PERSON_VERBS,
  PLACE_HEADS,
  PLACE_TAILS,
  THING_HEADS,
} from './name-runs.ts'
import type { Language, Mention } from './parts.ts'
import { isEnglishWord, type Unit } from './units.ts'

/** A sentence with its names found: each piece is a name or a single unit. */
export interface Piece {
  readonly unit: Unit
  readonly mention: Mention | undefined
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
  const titled = length > 1 && isTitle(first.lower)
  const from = titled ? at + 1 : at
  const name = joined(units, from, at + length - from)
  const span = { start: units[from]?.start ?? first.start, end: last.end }
  const listed = titled ? { type: 'PERSON' as const, confidence: 0.95 } : typeOf(name, gazetteers)
  const kind = kindAfter(units[at + length]?.lower ?? '')
  // A project may be called Berlin; a team in Berlin is no company of that name.
  if (kind !== 'THING' && listed?.type === 'PLACE' && isAttribute(units, at, length))
    return { name, ...span, type: 'PLACE', confidence: 0.85, modifies: true }
  if (kind && !titled) return { name, ...span, type: kind, confidence: 0.9 }
  if (isHouse(units[at - 1], name)) return { name, ...span, type: undefined, confidence: 0.1 }
  const opens = at === 0 || /^[.!?:"“(•\-–]$/.test(units[at - 1]?.text ?? '')
  // "Talked to Ngozi", "Chargers are in the drawer", "Wedding at noon": a sentence that begins with a word.
  const acts = /^(?:VERB|AUX|PUNCT)$/.test(units[at + 1]?.pos ?? 'PUNCT')
  const acted = units
    .slice(at + 1, at + 3)
    .some(({ lower }) => PERSON_VERBS.has(lower) || ORGANIZATION_VERBS.has(lower))
  const isLabelled = units[at - 1]?.text === ':' && PLACE_LABELS.has(units[at - 2]?.lower ?? '')
  const isWord = !acted && !isLabelled && opens && length === 1 && language === 'en' && isEnglishWord(first.lower)
  if (
    isWord &&
    (listed?.type === 'PERSON' ? NOT_ACTED.test(units[at + 1]?.pos ?? '') : (listed?.type ?? 'PLACE') === 'PLACE')
  )
    return undefined
  const isVerb = opens && length === 1 && /^(?:VERB|AUX)$/.test(first.pos)
  if (listed?.type === 'ORGANIZATION' && listed.confidence < 0.8 && length === 1 && opens && (isVerb || !acts))
    return { name, ...span, type: undefined, confidence: 0.15 }
  if (listed) return { name, ...span, ...listed }
  return { name, ...span, ...guess(units, at, length, opens, language) }
}

/** "the Porto branch", "Velmar's Porto branch": with a determiner before and a noun behind it a town's name is nobody's. */
function isAttribute(units: readonly Unit[], at: number, length: number): boolean {
  return ATTRIBUTIVE.has(units[at - 1]?.lower ?? '') && units[at + length]?.pos === 'NOUN'
}

const ATTRIBUTIVE = wordSet([...lexicons.DEFINITE_DETERMINERS, "'s", '’s'])

/** "Current city: Cork" */
const PLACE_LABELS = wordSet(lexicons.PLACE_LABELS)

/** Matches the continuation after a sentence's first word when that word is no name. */
const NOT_ACTED = /^(?:DET|NUM|ADP|SCONJ|PRON)$/

/** "the Growth team", "the Orbit library". */
function kindAfter(word: string): EntityType | undefined {
  if (ORGANIZATION_KINDS.has(word)) return 'ORGANIZATION'
  return THING_KINDS.has(word) ? 'THING' : undefined
}

const ORGANIZATION_KINDS = wordSet(lexicons.KINDS_BEHIND_NAMES.organization)
const THING_KINDS = wordSet(lexicons.KINDS_BEHIND_NAMES.thing)

/** "14 Rue des Lilas" is an address. */
function isHouse(before: Unit | undefined, name: string): boolean {
  return /^\d+\p{L}?$/u.test(before?.text ?? '') && STREET.test(name)
}

const STREET = new RegExp(` (?:${lexicons.STREETS.tails.join('|')})$|^(?:${lexicons.STREETS.heads.join('|')})\\b`, 'i')

/** Below it a town's name may well be somebody's whom no list knows. */
const SMALL_TOWN = 100_000

/** Types a name by the lists and by its own words. */
export function typeOf(name: string, gazetteers: Gazetteers): { type: EntityType; confidence: number } | undefined {
  const folded = fold(name)
  const parts = folded.split(/[ ]+/)
  const head = parts[0] ?? ''
  const tail = parts.at(-1) ?? ''
  if (gazetteers.technologies.has(folded) || LOWER_CASE_TECHNOLOGIES.has(folded))
    return { type: 'THING', confidence: 0.9 }
  // "Mexico City" is no club.
  const isCity = parts.length > 1 && (gazetteers.places.get(folded) ?? 0) >= SMALL_TOWN
  if (isCity) return { type: 'PLACE', confidence: 0.85 }
  if (parts.length > 1 && ORGANIZATION_TAILS.has(tail)) return { type: 'ORGANIZATION', confidence: 0.9 }
  if (parts.length > 1 && ORGANIZATION_HEADS.has(head)) return { type: 'ORGANIZATION', confidence: 0.9 }
  if (parts.length > 1 && THING_HEADS.has(head)) return { type: 'THING', confidence: 0.8 }
  const town = gazetteers.places.get(folded)
  const place = town !== undefined && town < SMALL_TOWN && gazetteers.brands.has(folded) ? undefined : town
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
  const parts = units.slice(at, at + length)
  if (length > 1 && parts.every(({ text, lower }) => LOUD.test(text) || isEnglishWord(lower)))
    return { type: undefined, confidence: 0.3 }
  if (length > 1 && plain && language === 'en' && endsInLongWord(parts))
    return { type: 'ORGANIZATION', confidence: 0.65 }
  if (isCoined(name)) return { type: undefined, confidence: 0.4 }
  // Less than what the words around a name tell, so that one such mention outweighs one without.
  if (length > 1 && length < 5 && plain && !(opens && language === 'de'))
    return { type: 'PERSON', confidence: opens && unit?.pos === 'VERB' ? 0.4 : 0.55 }
  if (language === 'de') return { type: undefined, confidence: 0.2 }
  return { type: undefined, confidence: opens && unit?.pos !== 'PROPN' ? 0.15 : 0.4 }
}

/** "Fernhill Schools": the surnames that are words as well, such as Brown, are short; half of the commonest are, and hardly a long one. */
function endsInLongWord(parts: readonly Unit[]): boolean {
  const tail = parts.at(-1)?.lower ?? ''
  return tail.length >= LONG_WORD && isEnglishWord(tail)
}

const LONG_WORD = 7

/** An acronym or a shout that no list knows. */
const LOUD = /^[\p{Lu}\d-]{2,}$/u

/**
 * Tells a made-up name by its capitals: "EtherCAT", "KlimaPro", "Shimano GRX". People's names have a capital within a word after a short
 * beginning only ("McAllister", "DeShawn"), and what stands in capitals alone comes first ("AJ Styles").
 */
export function isCoined(name: string): boolean {
  const [first = '', ...others] = name.split(' ')
  return [first, ...others].some(word => INNER_CAPITALS.test(word)) || (/\p{Ll}/u.test(first) && others.some(isCode))
}

const INNER_CAPITALS = /\p{L}{3}\p{Ll}\p{Lu}|\p{L}\p{Ll}\p{Lu}{2}/u

/** A longer word in capitals may be a surname: "Jean DUPONT". */
function isCode(word: string): boolean {
  return /^\p{Lu}{2,4}$/u.test(word)
}

/** Only a relationship makes an entity of what nothing but its place in a list shows to be a name. */
const BY_LIST = 0.25

const LINKS = wordSet(lexicons.NAME_LINKS)

/**
 * Reads as names what stands among the names of a list and is no word of the language, as "dbt" of "Airflow, dbt and Snowflake", so that what
 * is said of the list is said of all of it. A list goes on where a link stands between two, and ends with a name, or with the clause.
 */
export function withConjuncts(pieces: readonly Piece[]): readonly Piece[] {
  const read: Piece[] = [...pieces]
  for (let i = 2; i < pieces.length; i++) {
    const piece = pieces[i]
    if (!piece || piece.mention || !isUnknownWord(piece)) continue
    const before = linkBefore(read, i)
    if (before === undefined || !read[before]?.mention) continue
    if (goesOn(read, i) || (closesList(read, i, before) && linkBefore(read, before) !== undefined))
      read[i] = { unit: piece.unit, mention: named(piece) }
  }
  return read
}

function isUnknownWord({ unit: { text, lower } }: Piece): boolean {
  return /^\p{Ll}[\p{L}\p{N}.+#-]+$/u.test(text) && !isEnglishWord(lower)
}

function named({ unit: { text, start, end } }: Piece): Mention {
  return { name: text, start, end, type: undefined, confidence: BY_LIST }
}

/** The place of the conjunct before one, behind "," or "and" or both; undefined where no link stands before it. */
function linkBefore(pieces: readonly Piece[], index: number): number | undefined {
  if (!isLink(pieces[index - 1])) return undefined
  return isLink(pieces[index - 2]) ? index - 3 : index - 2
}

/** A name follows in the list, perhaps behind more of what is no word. */
function goesOn(pieces: readonly Piece[], index: number): boolean {
  for (let at = index; ; ) {
    if (!isLink(pieces[at + 1])) return false
    at += isLink(pieces[at + 2]) ? 3 : 2
    const next = pieces[at]
    if (next?.mention) return true
    if (!next || !isUnknownWord(next)) return false
  }
}

/** "…, tmux and zsh.": the last of several, behind another link than a comma, and the clause ends with it. */
function closesList(pieces: readonly Piece[], index: number, before: number): boolean {
  const next = pieces[index + 1]
  const last = pieces[index - 1]
  return before >= 0 && last?.unit.lower !== ',' && (!next || /^[.;!)]$/.test(next.unit.lower))
}

function isLink(piece: Piece | undefined): boolean {
  return piece !== undefined && !piece.mention && LINKS.has(piece.unit.lower)
}
