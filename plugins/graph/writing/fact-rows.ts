import { lexicons, phrasePattern, sentencesIn, wordsOf } from 'mneme/plugin'
import { isToCome, readTime, type ToldTime } from 'text-reader/facts'
import { v7 } from 'uuid'
import type { Span } from '../contract.ts'
import {
  type EntityType,
  type ExtractedEnding,
  type ExtractedRelation,
  type RelationType,
  SYMMETRIC_TYPES,
} from '../contract.ts'
import type { NamedEntity } from '../resolve/named-entity.ts'
import { WILDCARD_TARGET } from './fold-evidence.ts'
import type { ReadMemory } from './read-memory.ts'
import { turnsIn } from './turns.ts'

export interface MentionRow {
  readonly memory_id: string
  readonly entity_id: string
  readonly names: readonly string[]
  readonly normal_names: readonly string[]
  readonly type: EntityType
  readonly is_firm: boolean
  readonly is_user: boolean
  readonly confidence: number
  readonly span_start: number
  readonly span_end: number
  readonly stated_at: Date
}

export interface EvidenceRow {
  readonly id: string
  readonly memory_id: string
  readonly source_id: string
  readonly target_id: string
  readonly type: RelationType
  readonly confidence: number
  readonly closes: boolean
  readonly valid_from: Date | null
  readonly valid_to: Date | null
  readonly span_start: number
  readonly span_end: number
  readonly stated_at: Date
  readonly effective_at: Date | null
  readonly is_concurrent: boolean
  readonly only_ends: boolean
}

export interface StatementRow {
  readonly memory_id: string
  readonly ordinal: number
  readonly text: string
  readonly categories: readonly string[]
  readonly confidence: number
  readonly span_start: number
  readonly span_end: number
  readonly stated_at: Date
}

/** Builds one row for each entity of a memory; names that resolved to one entity share it. */
export function mentionRows(
  memory: ReadMemory,
  named: readonly NamedEntity[],
  entityIds: readonly string[],
): MentionRow[] {
  const rows = new Map<string, MentionRow>()
  for (const [n, { names, normalNames, type, isFirm, isUser }] of named.entries()) {
    const entity = memory.extraction.entities[n]
    const entityId = entityIds[n]
    if (!entity || entityId === undefined) continue
    const known = rows.get(entityId)
    const added = names.map((name, i) => [name, normalNames[i] ?? ''] as const)
    const own = (known?.names ?? []).map((name, i) => [name, known?.normal_names[i] ?? ''] as const)
    const all = [...own, ...added.filter(([name]) => !known?.names.includes(name))]
    rows.set(entityId, {
      memory_id: memory.id,
      entity_id: entityId,
      names: all.map(([name]) => name),
      normal_names: all.map(([, normal]) => normal),
      type: known?.type ?? type,
      is_firm: isFirm || (known?.is_firm ?? false),
      is_user: isUser || (known?.is_user ?? false),
      confidence: Math.max(entity.confidence, known?.confidence ?? 0),
      span_start: known?.span_start ?? entity.span.start,
      span_end: known?.span_end ?? entity.span.end,
      stated_at: memory.statedAt,
    })
  }
  return [...rows.values()]
}

/** Builds the evidence of a memory for each time it was stated; relationships of an entity to itself are dropped. */
export function evidenceRows(memory: ReadMemory, entityIds: readonly string[]): EvidenceRow[] {
  const { relations, endings = [] } = memory.extraction
  const turns = turnsIn(memory)
  const turn = (told: ExtractedRelation | ExtractedEnding) => turns.get(told) ?? 0
  return [
    ...relations.flatMap(relation => rowsOf(memory, { ...relation, turn: turn(relation) }, entityIds)),
    ...endings.flatMap(ending => {
      const told = { ...ending, validFrom: null, closes: true, onlyEnds: true as const, turn: turn(ending) }
      return rowsOf(memory, told, entityIds)
    }),
  ]
}

type Told = Omit<ExtractedRelation, 'target'> &
  Pick<ExtractedEnding, 'target'> & { readonly onlyEnds?: true; readonly turn: number }

function rowsOf(memory: ReadMemory, told: Told, entityIds: readonly string[]): EvidenceRow[] {
  const { type, confidence, span, onlyEnds = false } = told
  const source = entityIds[told.source]
  const target = told.target === null ? WILDCARD_TARGET : entityIds[told.target]
  if (source === undefined || target === undefined || source === target) return []
  const swapped = SYMMETRIC_TYPES.has(type) && target < source
  const times = [memory.statedAt, ...memory.restatedAt]
  // An ending to come ends nothing yet, and tells nothing else.
  return times
    .filter(statedAt => !onlyEnds || !isToCome(readTime(told.validTo), statedAt))
    .map(statedAt => ({
      id: v7(),
      memory_id: memory.id,
      source_id: swapped ? target : source,
      target_id: swapped ? source : target,
      type,
      confidence,
      ...validity(told, statedAt),
      span_start: span.start,
      span_end: span.end,
      // A millisecond for each turn: later than what it turns from, and sooner than any other memory.
      stated_at: new Date(statedAt.getTime() + told.turn),
      is_concurrent: !onlyEnds && statesConcurrentFact(memory.text, span, type),
      only_ends: onlyEnds,
    }))
}

/** Statements about the future do not order the evidence, and an end to come closes nothing yet. */
function validity({ validFrom, validTo, ...told }: Told, statedAt: Date) {
  const [from, to] = [readTime(validFrom), readTime(validTo)]
  const closes = told.closes && !isToCome(to, statedAt)
  const isOver = closes || (to !== undefined && to.latest <= statedAt)
  const decisive = isOver ? to : from
  const effective = decisive && (decisive.latest < statedAt ? decisive.latest : statedAt)
  return {
    closes,
    valid_from: from?.earliest ?? null,
    valid_to: to === undefined ? null : isOver ? sooner(to.earliest, statedAt) : endAfter(to, statedAt),
    effective_at: decisive && decisive.earliest <= statedAt ? (effective ?? null) : null,
  }
}

function sooner(one: Date, other: Date): Date {
  return one < other ? one : other
}

/** "Until 2026", told in 2026, may mean any of its days to come. */
function endAfter({ earliest, latest }: ToldTime, statedAt: Date): Date {
  return earliest > statedAt ? earliest : latest
}

export function statementRows(memory: ReadMemory): StatementRow[] {
  const statedAt = memory.restatedAt.at(-1) ?? memory.statedAt
  return memory.extraction.statements.map(({ text, category, span, confidence }, ordinal) => ({
    memory_id: memory.id,
    ordinal,
    text,
    categories: memory.categories.length > 0 ? memory.categories : [category],
    confidence,
    span_start: span.start,
    span_end: span.end,
    stated_at: statedAt,
  }))
}

const BESIDE = phrasePattern(wordsOf(lexicons.BESIDE, lexicons.SURELY_BESIDE))

const SURE = phrasePattern(wordsOf(lexicons.SURELY_BESIDE))

/** After a change "also" is of something else. */
const CHANGE = phrasePattern(wordsOf(lexicons.CHANGES, lexicons.NO_LONGER))

const TYPES: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'REPORTS_TO'])

/**
 * Tells whether a text says that something holds beside others of its kind. The rule is made to err towards one at a time: "I work
 * at B" after "I work at A" is a new job; "I also work at B", "part-time at B" and "B is my second job" are not; "I also joined B"
 * and "now I also …" are, for they tell a change.
 */
function statesConcurrentFact(text: string, span: Span, type: RelationType): boolean {
  if (!TYPES.has(type)) return false
  const sentence = sentenceAround(text, span)
  return BESIDE.test(sentence) && (SURE.test(sentence) || !CHANGE.test(sentence))
}

/** The sentence that a fact was read from, or its part up to a semicolon, as far as it is near. */
function sentenceAround(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - NEAR_CHARS)
  const near = text.slice(from, end + NEAR_CHARS)
  const parts = sentencesIn(near).flatMap(sentence =>
    [...sentence.text.matchAll(/[^;]+/g)].map(part => {
      const begin = from + sentence.start + part.index
      return { text: part[0], begin, end: begin + part[0].length }
    }),
  )
  return parts
    .filter(part => part.begin < end && part.end > start)
    .map(part => part.text)
    .join(' ')
}

const NEAR_CHARS = 200
