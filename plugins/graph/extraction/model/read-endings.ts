import { isToCome, RECENT_MS, readTime } from 'text-reader/facts'
import {
  type ExtractedEnding,
  type ExtractedRelation,
  LASTING_TYPES,
  type MemoryToExtract,
  RELATION_TYPES,
  type RelationType,
  type Span,
} from '../../contract.ts'
import type { MemoryAnswer } from './answer.ts'
import { isoDate } from './dates.ts'
import { type Names, share } from './names.ts'
import type { QuotedText } from './quoted.ts'

const ENDINGS_MAX = 100
/** People hold one of these at a time, so an ending need not name it. Nobody loses all likings or tools at once. */
const UNNAMED: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'REPORTS_TO', 'MARRIED_TO'])

/** Reads the endings of a completion that the text supports and for which it states no relation. */
export function readEndings(
  memory: MemoryToExtract,
  text: QuotedText,
  answered: MemoryAnswer['endings'],
  names: Names,
  relations: readonly ExtractedRelation[],
): ExtractedEnding[] {
  const endings = new Map<string, ExtractedEnding>()
  for (const one of answered.slice(0, ENDINGS_MAX)) {
    const ending = readEnding(memory, text, one, names)
    if (!ending || isStated(ending, relations, text.text)) continue
    endings.set(`${ending.type} ${ending.source} ${ending.target}`, ending)
  }
  return [...endings.values()]
}

function readEnding(
  { createdAt }: MemoryToExtract,
  text: QuotedText,
  { type, quote, confidence, ...rest }: MemoryAnswer['endings'][number],
  names: Names,
): ExtractedEnding | undefined {
  const known = RELATION_TYPES.find(one => one === type)
  const isNamed = rest.target !== null
  if (!known || LASTING_TYPES.has(known) || !(isNamed || UNNAMED.has(known))) return undefined
  const ends = rest.target === null ? [rest.source] : [rest.source, rest.target]
  const validTo = isoDate(rest.valid_to)
  const span = text.quotation(quote, names.placesNamed(rest.target ?? rest.source))
  if (!span || !isOfNow(validTo, createdAt, isNamed)) return undefined
  if (!ends.every(name => names.isKnown(name) && names.mayBeMeant(name, span))) return undefined
  const source = names.indexOf(rest.source)
  const target = rest.target === null ? null : names.indexOf(rest.target)
  if (source === undefined || target === undefined || source === target) return undefined
  if (names.entities[source]?.type !== 'PERSON') return undefined
  return { type: known, source, target, span, confidence: share(confidence), validTo }
}

/** A future ending closes nothing yet, and an unnamed ending concerns recent facts only. */
function isOfNow(validTo: string | null, now: Date, isNamed: boolean): boolean {
  const time = readTime(validTo)
  if (!time) return true
  if (isToCome(time, now)) return false
  return isNamed || now.getTime() - time.latest.getTime() <= RECENT_MS
}

/** A relation of the same two tells more, and what one sentence both names and ends is named by its relation. */
function isStated(
  { type, source, target, span }: ExtractedEnding,
  relations: readonly ExtractedRelation[],
  text: string,
): boolean {
  return relations.some(one => {
    if (one.type !== type || (one.source !== source && one.target !== source)) return false
    return target === null ? isOneSentence(text, span, one.span) : one.target === target || one.source === target
  })
}

function isOneSentence(text: string, one: Span, other: Span): boolean {
  const between = text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start))
  return !/[.!?](?:\s|$)|\n\s*\n|[。！？]/u.test(between)
}
