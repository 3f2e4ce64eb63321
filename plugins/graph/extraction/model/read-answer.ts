import type { LanguageDetector } from 'mneme/plugin'
import {
  type ExtractedRelation,
  type ExtractedStatement,
  type Extraction,
  LASTING_TYPES,
  type MemoryToExtract,
  RELATION_TYPES,
  STATEMENT_CATEGORIES,
} from '../../contract.ts'
import type { MemoryAnswer } from './answer.ts'
import { isoDate } from './dates.ts'
import { Names, share } from './names.ts'
import { QuotedText } from './quoted.ts'
import { readEndings } from './read-endings.ts'
import { TextLanguage } from './text-language.ts'

const ENTITIES_MAX = 300
const RELATIONS_MAX = 300
const STATEMENTS_MAX = 300

/** Keeps the parts of a model's completion that the text supports. */
export function readAnswer(
  memory: MemoryToExtract,
  answer: MemoryAnswer,
  { extractedBy, detector }: { readonly extractedBy: string; readonly detector: LanguageDetector },
): Extraction {
  const text = new QuotedText(memory.text)
  const names = new Names(memory, text, new TextLanguage(memory.text, detector), answer.user_name)
  for (const entity of answer.entities.slice(0, ENTITIES_MAX)) names.add(entity)
  const relations = answer.relations.slice(0, RELATIONS_MAX).flatMap(relation => {
    const read = readRelation(text, relation, names)
    return read ? [read] : []
  })
  const endings = readEndings(memory, text, answer.endings, names, relations)
  const statements = readStatements(text, answer.statements)
  return {
    memoryId: memory.id,
    extractedBy,
    entities: names.entities,
    relations,
    ...(endings.length > 0 ? { endings } : {}),
    statements,
  }
}

function readRelation(
  text: QuotedText,
  { type, quote, confidence, ...rest }: MemoryAnswer['relations'][number],
  names: Names,
): ExtractedRelation | undefined {
  const known = RELATION_TYPES.find(one => one === type)
  const ends = [rest.target, rest.source]
  const span = text.quotation(
    quote,
    ends.flatMap(name => names.placesNamed(name)),
  )
  if (!known || !span || !ends.every(name => names.isKnown(name) && names.mayBeMeant(name, span))) return undefined
  const [source, target] = [names.indexOf(rest.source), names.indexOf(rest.target)]
  if (source === undefined || target === undefined || source === target) return undefined
  const [from, to] = [isoDate(rest.valid_from), isoDate(rest.valid_to)]
  const isLasting = LASTING_TYPES.has(known)
  // A time that ends before it begins says nothing.
  const [begin, end] = from !== null && to !== null && from > to ? [null, null] : [from, to]
  return {
    type: known,
    source,
    target,
    span,
    closes: rest.closes && !isLasting,
    confidence: share(confidence),
    // For an event that happens once, either date tells when.
    validFrom: begin ?? (isLasting ? end : null),
    validTo: isLasting ? null : end,
  }
}

function readStatements(text: QuotedText, answered: MemoryAnswer['statements']): ExtractedStatement[] {
  const statements = new Map<number, ExtractedStatement>()
  for (const { quote, category, confidence } of answered.slice(0, STATEMENTS_MAX)) {
    const known = STATEMENT_CATEGORIES.find(one => one === category)
    const span = text.quotation(quote)
    if (!known || !span || statements.has(span.start)) continue
    const words = text.text.slice(span.start, span.end)
    statements.set(span.start, { text: words, category: known, span, confidence: share(confidence) })
  }
  return [...statements.values()].sort((a, b) => a.span.start - b.span.start)
}
