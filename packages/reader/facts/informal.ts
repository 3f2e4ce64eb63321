import { lexicons, wordSet } from '../index.ts'
import { fold, type Gazetteers } from './gazetteers.ts'
import { COMMON_WORDS, NEVER_NAMES, PERSON_VERBS } from './name-runs.ts'
import type { Mention } from './parts.ts'
import type { Unit } from './units.ts'

/** Informal English spellings, with those that the patterns know; the text itself is not changed. */
const PLAIN = new Map(Object.entries(lexicons.INFORMAL_SPELLINGS))
/** Two words written as one. */
const JOINED = new Map(Object.entries(lexicons.JOINED_SPELLINGS))
const TIME_PREFIX = new RegExp(`^(?:${lexicons.TIME_PREFIXES.join('|')})-(?=\\p{Ll})`, 'u')

/** Reads "w/", "@", "im", "dont" and the like as the words they stand for. */
export function plainUnits(units: readonly Unit[]): Unit[] {
  const plain: Unit[] = []
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]
    if (!unit) break
    const next = units[i + 1]
    const parts = JOINED.get(unit.lower)
    const word = PLAIN.get(unit.lower)
    if (unit.lower === 'w' && next?.text === '/' && next.start === unit.end) {
      const without = units[i + 2]?.lower === 'o' && units[i + 2]?.start === next.end
      const end = without ? next.end + 1 : next.end
      plain.push({ ...unit, text: without ? 'w/o' : 'w/', lower: without ? 'without' : 'with', end, pos: 'ADP' })
      i += without ? 2 : 1
    } else if (parts) {
      const [first = '', second = ''] = parts
      const { length } = first
      const middle = unit.start + length
      plain.push({ ...unit, text: unit.text.slice(0, length), lower: first, end: middle, pos: 'PRON' })
      plain.push({ ...unit, text: unit.text.slice(length), lower: second, start: middle, pos: 'AUX' })
    } else if (TIME_PREFIX.test(unit.lower)) plain.push({ ...unit, lower: unit.lower.replace(TIME_PREFIX, '') })
    else if (isCompound(unit)) plain.push(...partsOf(unit))
    else if (word) plain.push(spelt(unit, word))
    else plain.push(isApart(units, i) ? asWord(unit) : unit)
  }
  return plain
}

/** "Lisbon-based", "ex-Google" */
function isCompound({ text }: Unit): boolean {
  return /^\p{Lu}.*-based$/u.test(text) || /^[Ee]x-\p{Lu}/u.test(text)
}

function partsOf(unit: Unit): Unit[] {
  const at = unit.text.endsWith('-based') ? unit.text.length - 6 : 3
  const [first, second] = [unit.text.slice(0, at), unit.text.slice(at)]
  const middle = unit.start + at
  const isEx = at === 3
  return [
    { text: first, lower: first.toLowerCase(), start: unit.start, end: middle, pos: isEx ? 'ADJ' : 'PROPN' },
    { text: second, lower: second.toLowerCase(), start: middle, end: unit.end, pos: isEx ? 'PROPN' : 'ADJ' },
  ]
}

/** With a space on either side. */
function isApart(units: readonly Unit[], at: number): boolean {
  const [before, unit, after] = units.slice(Math.max(0, at - 1), at + 2)
  return (
    at > 0 &&
    before !== undefined &&
    unit !== undefined &&
    after !== undefined &&
    unit.start > before.end &&
    unit.end < after.start
  )
}

function asWord(unit: Unit): Unit {
  if (unit.text === '@') return { ...unit, lower: 'at', pos: 'ADP' }
  if (unit.text === '=') return { ...unit, lower: ':', pos: 'PUNCT' }
  return unit.text === '+' || unit.lower === 'n' ? { ...unit, lower: 'and', pos: 'CCONJ' } : unit
}

function spelt(unit: Unit, [lower = unit.lower, pos = unit.pos]: readonly string[]): Unit {
  return { ...unit, lower, pos }
}

/** People who live in a place whose name counts without a capital. */
const POPULATION_MIN = 100_000
const AMBIGUOUS = wordSet(lexicons.NAMES_WITH_CAPITALS)
const KIN = wordSet(lexicons.KIN_BEFORE_NAMES.en)
const OWNERS = wordSet(lexicons.KIN_OWNERS)
const CHRISTENED = wordSet(lexicons.CHRISTENED_NOUNS)
const OPENERS = wordSet(lexicons.NOTE_BEGINNINGS)
const LOCATIVE = wordSet(lexicons.LOCATIVE_PREPOSITIONS)
const MOVING = wordSet(lexicons.MOVING_VERBS)
const CHANGING = wordSet(lexicons.CHANGING_VERBS)
const WORKING = wordSet(lexicons.WORKING_WORDS)

/**
 * A name that is written without a capital, where the words before it make it sure: "live in lisbon", "my brother ali", "works at
 * google". Everything else without a capital is a word.
 */
export function smallName(
  units: readonly Unit[],
  at: number,
  gazetteers: Gazetteers,
): { readonly length: number; readonly mention: Mention } | undefined {
  const unit = units[at]
  const before = units[at - 1]?.lower ?? ''
  const earlier = units[at - 2]?.lower ?? ''
  if (!unit || !/^\p{L}{3,}$/u.test(unit.text)) return undefined
  const found = (type: 'PERSON' | 'PLACE' | 'ORGANIZATION' | 'THING', length = 1) => {
    const end = units[at + length - 1]?.end ?? unit.end
    const name = units.slice(at, at + length).map(({ text }) => text)
    return { length, mention: { name: name.join(' '), start: unit.start, end, type, confidence: 0.75 } }
  }
  if (LOCATIVE.has(before) || (before === 'to' && MOVING.has(earlier))) {
    const length = [3, 2, 1].find(words => isPlace(units.slice(at, at + words), words, gazetteers))
    if (length) return found('PLACE', length)
  }
  const name = fold(unit.text)
  if (AMBIGUOUS.has(unit.lower) || COMMON_WORDS.has(name) || NEVER_NAMES.has(unit.lower)) return undefined
  if (before === 'is' && earlier === 'name') return found('PERSON')
  if (/^(?:called|named)$/.test(before) && CHRISTENED.has(earlier)) return found('THING')
  const isTool =
    /^(?:use|uses|using)$/.test(before) ||
    (before === 'to' && (CHANGING.has(earlier) || CHANGING.has(units[at - 3]?.lower ?? '')))
  const isWhole = !/^(?:NOUN|PROPN|ADJ)$/.test(units[at + 1]?.pos ?? '')
  if (isTool && isWhole && (gazetteers.technologies.has(name) || gazetteers.brands.has(name))) return found('THING')
  const opens = at === 0 || OPENERS.has(before)
  const named = (KIN.has(before) && OWNERS.has(earlier)) || (opens && PERSON_VERBS.has(units[at + 1]?.lower ?? ''))
  if (named && gazetteers.firstNames.has(name)) return found('PERSON')
  const employer = ((before === 'at' || before === 'for') && WORKING.has(earlier)) || before === 'joined'
  return employer && gazetteers.brands.has(name) ? found('ORGANIZATION') : undefined
}

function isPlace(words: readonly Unit[], length: number, { places }: Gazetteers): boolean {
  if (words.length < length || words.some(({ text }) => !/^\p{L}+$/u.test(text))) return false
  const [first] = words
  if (length === 1 && first && AMBIGUOUS.has(first.lower)) return false
  return (places.get(fold(words.map(({ text }) => text).join(' '))) ?? 0) >= POPULATION_MIN
}
