import type { Embedder } from '../../core/models/embedder.ts'
import type { EngineQuery, SearchEngine } from '../../plugins/search/engine/engine.ts'
import { planQuery } from '../../plugins/search/query/plan.ts'
import { rank } from '../../plugins/search/ranking/rank.ts'
import { DEFAULT_BALANCE } from '../../plugins/search/ranking/signals.ts'
import type { Bulk } from './bulk.ts'
import { elapsed, percentile } from './measure.ts'
import type { Place } from './places.ts'
import { variedQuestion, variedText } from './varied-texts.ts'

const FLOOR = 0.2
const WARM_UP = 10
const SHOWN = 10

type Question = Pick<EngineQuery, 'filter'> & {
  readonly mode: 'hybrid' | 'semantic' | 'keyword'
  readonly text: string
}

/** One kind of search by the number of its round. */
const KINDS: Readonly<Record<string, (n: number) => Question>> = {
  'hybrid, whole workspace': n => ({ mode: 'hybrid', text: variedQuestion(n), filter: {} }),
  'hybrid, one user': n => ({ mode: 'hybrid', text: variedQuestion(n), filter: { userId: 'fifty' } }),
  semantic: n => ({ mode: 'semantic', text: variedQuestion(n), filter: {} }),
  keyword: n => ({ mode: 'keyword', text: wordsOf(n).slice(1, 3).join(' '), filter: {} }),
  'with a quotation': n => ({
    mode: 'hybrid',
    text: `${variedQuestion(n)} "${wordsOf(n).slice(1, 3).join(' ')}"`,
    filter: {},
  }),
  'metadata that all pass': n => ({
    mode: 'hybrid',
    text: variedQuestion(n),
    filter: { metadata: [{ path: ['kind'], op: 'eq', value: 'note' }] },
  }),
}

const NAMES = ['postgres', 'typesense'] as const
type Name = (typeof NAMES)[number]

export interface Comparison {
  readonly kind: string
  readonly times: Readonly<Record<Name, number[]>>
  /** The share of questions with the same first ten in the same order. */
  readonly identical: number
  /** The share of Postgres' first ten that Typesense has among its own. */
  readonly recall: number
}

export interface CompareOptions {
  readonly bulk: Bulk
  readonly place: Place
  readonly embedder: Embedder
  readonly engines: Readonly<Record<Name, SearchEngine>>
  readonly rounds: number
}

/** Asks both engines every question, one right after the other, and each of them first in every second round. */
export async function compareEngines(options: CompareOptions): Promise<Comparison[]> {
  const compared = Object.keys(KINDS).map(kind => ({
    kind,
    times: { postgres: [], typesense: [] } as Record<Name, number[]>,
    same: 0,
    hits: 0,
    wanted: 0,
  }))
  for (let round = -WARM_UP; round < options.rounds; round++) {
    for (const [k, one] of compared.entries()) {
      const question = KINDS[one.kind]?.(1_000 * k + round + WARM_UP)
      if (!question) continue
      const vector = question.mode === 'keyword' ? undefined : await embed(options.embedder, question.text)
      const shown: Record<Name, string[]> = { postgres: [], typesense: [] }
      for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
        const took = await elapsed(async () => {
          shown[name] = await firstTen(options, options.engines[name], question, vector)
        })
        if (round >= 0) one.times[name].push(took)
      }
      if (round < 0) continue
      one.same += shown.postgres.join() === shown.typesense.join() ? 1 : 0
      one.hits += shown.postgres.filter(id => shown.typesense.includes(id)).length
      one.wanted += shown.postgres.length
    }
  }
  return compared.map(({ kind, times, same, hits, wanted }) => ({
    kind,
    times,
    identical: same / options.rounds,
    recall: wanted === 0 ? 1 : hits / wanted,
  }))
}

export function showComparison(compared: readonly Comparison[]): void {
  console.log('milliseconds p50 / p95; the ratio is of p50 (target at most 1.5), identical first ten (target 0.95)')
  for (const { kind, times, identical, recall } of compared) {
    const both = (name: Name) =>
      `${percentile(times[name], 0.5).toFixed(1)} / ${percentile(times[name], 0.95).toFixed(1)}`
    const ratio = percentile(times.typesense, 0.5) / percentile(times.postgres, 0.5)
    console.log(
      `${kind.padEnd(24)} Postgres ${both('postgres').padEnd(15)} Typesense ${both('typesense').padEnd(15)} ratio ${ratio.toFixed(2)}` +
        `  identical ${identical.toFixed(2)}  recall@10 ${recall.toFixed(3)}`,
    )
  }
}

async function firstTen(
  { bulk, place }: CompareOptions,
  engine: SearchEngine,
  { mode, text, filter }: Question,
  values: Float32Array | undefined,
): Promise<string[]> {
  const plan = planQuery({ query: text, mode })
  const { match, query, terms } = plan
  const vector = values ? { vector: { model: bulk.model, values, floor: FLOOR } } : {}
  const asked: EngineQuery = { workspaceId: place.id, match, query, terms, filter, ...vector }
  const proposal = await engine.propose?.(asked, work => bulk.database.workspace(place.id, work))
  const { candidates, corpus } = await bulk.database.workspace(place.id, tx =>
    engine.candidates(tx, proposal ? { ...asked, proposal } : asked),
  )
  const context = { ...plan, corpus, cosineFloor: FLOOR, balance: DEFAULT_BALANCE, now: new Date(0) }
  return rank(candidates, context)
    .slice(0, SHOWN)
    .map(({ candidate }) => candidate.memoryId)
}

async function embed(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  const [embedded] = await embedder.embed([text], { priority: 'query' })
  return embedded?.vector ?? undefined
}

function wordsOf(n: number): string[] {
  return variedText(n)
    .replace(/[^\p{L}\p{N} ]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
}
