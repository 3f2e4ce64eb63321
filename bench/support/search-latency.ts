import type { Embedder } from '../../core/models/embedder.ts'
import { planQuery } from '../../plugins/search/query/plan.ts'
import { rank } from '../../plugins/search/ranking/rank.ts'
import { DEFAULT_BALANCE } from '../../plugins/search/ranking/signals.ts'
import type { Bulk } from './bulk.ts'
import { elapsed } from './measure.ts'
import type { Place } from './places.ts'
import { rawSearch } from './raw-search.ts'
import { caller } from './service.ts'
import { variedQuestion } from './varied-texts.ts'

export const MODES = ['hybrid', 'semantic', 'keyword'] as const

/** Each round times the product over HTTP, the parts it cannot do without, and the ranker by itself. */
export const TIMED = [...MODES, 'embedding', 'rawWords', 'rawMeaning', 'ranker'] as const
export type Latencies = Record<(typeof TIMED)[number], number[]>

const FLOOR = 0.2
const WARM_UP = 30

export interface Subject {
  readonly base: string
  readonly databaseUrl: string
  readonly bulk: Bulk
  readonly embedder: Embedder
  /** These are taken in turn, one a round. */
  readonly places: readonly Place[]
}

/** Milliseconds of each. All take turns, so that other load on the machine meets them alike; no question comes twice. */
export async function measureLatencies(subject: Subject, rounds: number): Promise<Latencies> {
  const latencies: Latencies = {
    hybrid: [],
    semantic: [],
    keyword: [],
    embedding: [],
    rawWords: [],
    rawMeaning: [],
    ranker: [],
  }
  const raw = await rawSearch(subject.databaseUrl)
  for (let round = -WARM_UP; round < rounds; round++) {
    const place = subject.places[(round + WARM_UP) % subject.places.length]
    if (!place) throw new Error('there is no workspace to search in')
    const took = await measureRound(subject, raw, place, (round + WARM_UP) * (MODES.length + 1))
    if (round < 0) continue
    for (const name of TIMED) latencies[name].push(took[name])
  }
  await raw.close()
  return latencies
}

async function measureRound(
  { base, bulk, embedder }: Subject,
  raw: Awaited<ReturnType<typeof rawSearch>>,
  place: Place,
  first: number,
): Promise<Record<keyof Latencies, number>> {
  const call = caller(base, place.key)
  const searched = async (n: number) =>
    elapsed(() => call('POST', '/v1/memories/search', { query: variedQuestion(first + n), mode: MODES[n] }))
  const [hybrid, semantic, keyword] = [await searched(0), await searched(1), await searched(2)]
  const query = variedQuestion(first + MODES.length)
  let vector: Float32Array = new Float32Array()
  const embedding = await elapsed(async () => {
    const [embedded] = await embedder.embed([query], { priority: 'query' })
    vector = embedded?.vector ?? vector
  })
  const rawWords = await elapsed(() => raw.words(place.id, query))
  const rawMeaning = await elapsed(() => raw.meaning(place.id, vector))
  return {
    hybrid,
    semantic,
    keyword,
    embedding,
    rawWords,
    rawMeaning,
    ranker: await ranking(bulk, place, query, vector),
  }
}

/** The pure part of a search: candidates and statistics are at hand. */
async function ranking({ database, engine, model }: Bulk, place: Place, text: string, values: Float32Array) {
  const plan = planQuery({ query: text, mode: 'hybrid' })
  const { match, query, terms } = plan
  const asked = { workspaceId: place.id, match, query, terms, filter: {}, vector: { model, values, floor: FLOOR } }
  const { candidates, corpus } = await database.workspace(place.id, tx => engine.candidates(tx, asked))
  const context = { ...plan, corpus, cosineFloor: FLOOR, balance: DEFAULT_BALANCE, now: new Date() }
  return elapsed(async () => rank(candidates, context))
}
