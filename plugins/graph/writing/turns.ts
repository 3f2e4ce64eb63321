import { RECENT_MS, readTime } from 'text-reader/facts'
import { type ExtractedEnding, type ExtractedRelation, SYMMETRIC_TYPES } from '../contract.ts'
import type { ReadMemory } from './read-memory.ts'

type Told = ExtractedRelation | ExtractedEnding

const STOP = /[.!?;…](?=\s)|[。！？\n]/

/**
 * Orders the statements of one memory when it states a fact and later an ending of its type ("I work at Acme. I got laid
 * off."), or after that what holds instead: how many such turns come before each. All else is told at once, ends before begins.
 */
export function turnsIn(memory: ReadMemory): ReadonlyMap<Told, number> {
  const { relations, endings = [] } = memory.extraction
  const turns = new Map<Told, number>()
  for (const own of Map.groupBy(endings, ({ type, source }) => `${type} ${source}`).values()) {
    const begins = relations.filter(relation => own[0] && isOfKind(relation, own[0]))
    const told = [...begins, ...own.filter(ending => isRecent(ending, memory))]
    let turn = 0
    let begun: Told | undefined
    for (const one of told.toSorted((a, b) => a.span.start - b.span.start)) {
      const isEnd = !('closes' in one)
      const isTurn = isEnd ? begun && turn % 2 === 0 && stopsBetween(memory.text, begun, one) : turn % 2 === 1
      if (isTurn) turn++
      if (!isEnd) begun = one
      turns.set(one, Math.max(turn, turns.get(one) ?? 0))
    }
  }
  return turns
}

function isOfKind({ type, source, target, closes }: ExtractedRelation, ending: ExtractedEnding): boolean {
  const isOfSource = source === ending.source || (SYMMETRIC_TYPES.has(type) && target === ending.source)
  return type === ending.type && isOfSource && !closes
}

function isRecent({ validTo }: ExtractedEnding, { statedAt }: ReadMemory): boolean {
  const over = readTime(validTo)
  return over === undefined || over.latest.getTime() > statedAt.getTime() - RECENT_MS
}

function stopsBetween(text: string, one: Told, other: Told): boolean {
  return STOP.test(text.slice(one.span.end, other.span.start))
}
