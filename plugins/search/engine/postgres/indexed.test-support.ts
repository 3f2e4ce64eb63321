import { randomUUID } from 'node:crypto'
import { finish } from 'mneme/plugin'
import { v7 } from 'uuid'
import { service } from '../../../../test/support/service.ts'
import { analyze } from '../../analysis/analyze.ts'
import { readTraits } from '../../analysis/traits.ts'
import { planQuery } from '../../query/plan.ts'
import type { EngineQuery, SearchDocument } from '../engine.ts'
import { folded } from './folded.test-support.ts'
import { openPostgresEngine, type PostgresEngine } from './index.ts'

const DIMENSIONS = 16
export const MEMORIES = 3000
const NEVER = () => Number.POSITIVE_INFINITY
/** Lets an index over vectors serve from a thousand on. */
export const SOON = () => 1000

/** A workspace with memories, vectors and passages around common centres, and two engines: only one of them uses indexes over vectors. */
export async function fillIndexed(workspaceId: string) {
  const { database } = await service()
  const exact = await openPostgresEngine(database, { paysFrom: NEVER })
  const indexed = await openPostgresEngine(database, { paysFrom: SOON })
  const model = await database.system(async tx => {
    const [row] = await tx<{ id: number }[]>`
      insert into search.model (model_id, dimensions) values (${`graph-${randomUUID()}`}, ${DIMENSIONS}) returning id`
    return row?.id ?? 0
  })
  let passage = 0
  const passages = () => [0, 1].map(start => ({ start, end: start + 1, vector: clustered(10_000 + passage++) }))
  const store = async (numbers: readonly number[], vectorOf: (n: number) => Float32Array) => {
    const documents = numbers.map(n => document(exact, workspaceId, n))
    const vectors = new Map(documents.map(({ memoryId }, index) => [memoryId, vectorOf(numbers[index] ?? 0)]))
    await database.workspace(workspaceId, async tx => {
      await exact.index(tx, documents)
      await exact.setEmbeddings(tx, workspaceId, model, vectors)
      await exact.setPassages(tx, workspaceId, model, new Map(documents.map(({ memoryId }) => [memoryId, passages()])))
    })
    return documents.map(({ memoryId }) => memoryId)
  }
  for (let from = 0; from < MEMORIES; from += 500) {
    await store(
      Array.from({ length: 500 }, (_, n) => from + n),
      clustered,
    )
  }
  await folded(database, workspaceId)
  return {
    database,
    exact,
    indexed,
    model,
    ask: (engine: PostgresEngine, query: EngineQuery) =>
      database.workspace(workspaceId, tx => engine.candidates(tx, query)),
    query(text: string, n: number, filter: EngineQuery['filter'], floor = 0.2): EngineQuery {
      const { match, query, terms } = planQuery({ query: text, mode: 'hybrid' })
      const vector = { model, values: clustered(n * 97 + 1_000_000), floor }
      return { workspaceId, match, query, terms, filter, vector }
    },
    add: (vector: Float32Array) => store([MEMORIES], () => vector),
    explain: () =>
      database.workspace(workspaceId, async tx => {
        await tx`select set_config('enable_sort', 'off', true)`
        const rows = await tx.unsafe(`
          explain select memory_id from search.embedding
          where model = ${model}
          order by embedding::halfvec(${DIMENSIONS}) <#> (select embedding::halfvec(${DIMENSIONS}) from search.embedding limit 1)
          limit 100`)
        return rows.map(row => row['QUERY PLAN']).join('\n')
      }),
  }
}

function document(engine: PostgresEngine, workspaceId: string, n: number): SearchDocument {
  const text = `note ${n}`
  return {
    workspaceId,
    memoryId: v7(),
    userId: n % 2 ? 'half' : n % 100 === 0 ? 'few' : 'rest',
    agentId: null,
    sessionId: null,
    priority: 'MEDIUM',
    categories: n % 10 === 3 ? ['tenth'] : n % 400 === 0 ? ['rare'] : [],
    metadata: { even: n % 2 === 0 },
    createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 30))),
    expiresAt: null,
    saidAt: null,
    standing: null,
    happenedAt: null,
    traits: readTraits(text),
    digest: finish(engine.digest(workspaceId, analyze(text))),
  }
}

/** Generates vectors around 40 centres, as texts cluster around topics; deterministic by number. */
function clustered(n: number): Float32Array {
  const centre = n % 40
  const values = Float32Array.from({ length: DIMENSIONS }, (_, i) => noise(centre, i) + 0.6 * noise(n + 1000, i))
  const length = Math.hypot(...values)
  return values.map(value => value / length)
}

/** Returns a value from −1 to 1. */
function noise(n: number, i: number): number {
  const x = Math.sin(n * 12.9898 + i * 78.233) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
