import { sentencesIn, type Tx } from 'mneme/plugin'
import { type MemoryReader, statedAt, TEXT_MAX } from '../../memories/contract.ts'
import type { Fact } from './facts.ts'

/** A sentence of a memory, word for word. */
export interface Quote {
  readonly text: string
  readonly memoryId: string
  readonly statedAt: Date
}

/** The texts of the memories that facts rest on, each read once. */
export interface MemoryTexts {
  /** The facts of which a memory says what `said` describes; all of them without it. */
  saying(facts: readonly Fact[], said: RegExp | undefined): Promise<Fact[]>
  /** For each fact the newest sentence that names both of its ends, or at least what it leads to. */
  quotes(facts: readonly Fact[]): Promise<Map<string, Quote>>
}

/** Facts whose later statements are looked for: an answer rests on its first ones. */
const LATER_OF_MAX = 5

/**
 * Finds the newest statement about the same thing as facts that hold, which is later than all that their memories say and which the graph did not
 * understand as one about them: whether they still hold is not known then.
 */
export async function laterStatement(
  tx: Tx,
  reader: Pick<MemoryReader, 'records' | 'holdings'>,
  facts: readonly Fact[],
): Promise<Quote | undefined> {
  const holding = facts.filter(fact => fact.current).slice(0, LATER_OF_MAX)
  const own = new Set(holding.flatMap(fact => fact.memoryIds))
  const evidence = await reader.records(tx, [...new Set(holding.flatMap(fact => fact.memoryIds.slice(0, PER_FACT)))])
  const since = Math.max(...evidence.map(memory => statedAt(memory).getTime()))
  const newer = [...(await reader.holdings(tx, evidence)).values()].flatMap(holding => holding.newer)
  const later = await reader.records(
    tx,
    [...new Set(newer)].filter(id => !own.has(id)),
  )
  const [newest] = later
    .filter(memory => statedAt(memory).getTime() > since)
    .toSorted((a, b) => statedAt(b).getTime() - statedAt(a).getTime())
  if (!newest) return undefined
  const text = newest.text.replace(/\s+/gu, ' ').slice(0, SENTENCE_CHARS_MAX).toWellFormed()
  return { text, memoryId: newest.id, statedAt: statedAt(newest) }
}

/** Memories that are read for one fact, the newest. */
const PER_FACT = 3
/** Memories that one answer reads. */
const MEMORIES_MAX = 120
const SENTENCE_CHARS_MAX = 240

export function memoryTexts(tx: Tx, reader: Pick<MemoryReader, 'records'>): MemoryTexts {
  const known = new Map<string, { text: string; statedAt: Date } | undefined>()

  async function load(facts: readonly Fact[]): Promise<void> {
    const wanted = [...new Set(facts.flatMap(fact => fact.memoryIds.slice(0, PER_FACT)))].filter(id => !known.has(id))
    const ids = wanted.slice(0, Math.max(0, MEMORIES_MAX - known.size))
    for (const id of ids) known.set(id, undefined)
    if (ids.length === 0) return
    for (const memory of await reader.records(tx, ids))
      known.set(memory.id, { text: memory.text, statedAt: statedAt(memory) })
  }

  return {
    async saying(facts, said) {
      if (!said) return [...facts]
      await load(facts)
      return facts.filter(fact => fact.memoryIds.some(id => said.test(known.get(id)?.text.slice(0, TEXT_MAX) ?? '')))
    },
    async quotes(facts) {
      await load(facts)
      const quotes = new Map<string, Quote>()
      for (const fact of facts) {
        const quote = newestQuote(fact, known)
        if (quote) quotes.set(fact.id, quote)
      }
      return quotes
    },
  }
}

function newestQuote(
  fact: Fact,
  known: ReadonlyMap<string, { text: string; statedAt: Date } | undefined>,
): Quote | undefined {
  const names = [fact.source.name, fact.target.name].map(name => name.toLowerCase())
  for (const memoryId of fact.memoryIds.slice(0, PER_FACT)) {
    const memory = known.get(memoryId)
    if (!memory) continue
    const sentences = sentencesOf(memory.text)
    const naming = (wanted: readonly string[]) =>
      sentences.find(sentence => wanted.every(name => sentence.toLowerCase().includes(name)))
    const text = naming(names) ?? naming(names.slice(1)) ?? naming(names.slice(0, 1))
    if (text && text.length <= SENTENCE_CHARS_MAX) return { text, memoryId, statedAt: memory.statedAt }
  }
  return undefined
}

function sentencesOf(text: string): string[] {
  return sentencesIn(text.slice(0, TEXT_MAX)).map(sentence => sentence.text.replace(/\s+/gu, ' '))
}
