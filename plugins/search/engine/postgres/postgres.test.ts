import { describe, expect, test } from 'bun:test'
import { type Tx, textArray } from 'mneme/plugin'
import { service } from '../../../../test/support/service.ts'
import { Corpus, type Question } from '../conformance/corpus.test-support.ts'
import { engineConformance } from '../conformance/engine.conformance.ts'
import { folded } from './folded.test-support.ts'
import { openPostgresEngine } from './index.ts'
import { GENERIC_PLAN, underSettings, withGenericPlans } from './planner.ts'

const open = async () => {
  const { database } = await service()
  return { database, engine: await openPostgresEngine(database) }
}

engineConformance('Postgres', open)

test('new metadata leave the vector of a document alone, a new session does not', async () => {
  const corpus = await Corpus.of(await open(), { text: 'note', vector: [1, 0], fields: { sessionId: 's1' } })
  const [memoryId = ''] = corpus.idsOf('note')
  const amended = async (sessionId: string) => {
    const change = { memoryId, sessionId, metadata: { place: 7 }, saidAt: null, happenedAt: null }
    await corpus.write((tx, engine) => engine.amend(tx, corpus.workspaceId, [change]))
    const [row] = await corpus.write(
      tx => tx<{ version: string; session_id: string }[]>`
        select xmin::text as version, session_id from search.embedding where memory_id = ${memoryId}`,
    )
    return row
  }
  const first = await amended('s2')
  expect(first?.session_id).toBe('s2')
  expect(await amended('s2')).toEqual(first)
})

/** Copies the only document of a corpus `copies` times, under ascending ids of a later time. */
const copied = (corpus: Corpus, copies: number) =>
  corpus.write(
    tx => tx`
      insert into search.document (
        workspace_id, memory_id, user_id, priority, categories, metadata, created_at, length, words
      )
      select
        document.workspace_id, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, document.user_id,
        document.priority, document.categories, document.metadata, document.created_at, document.length, document.words
      from search.document
      cross join generate_series(1, ${copies}::int) as n
      where document.workspace_id = ${corpus.workspaceId}`,
  )

/** Counts the rows of the documents' table that the transaction has read. */
const rowsRead = async (tx: Tx) => {
  const [document] = await tx<{ read: number }[]>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_all_tables where relid = 'search.document'::regclass`
  return document?.read ?? 0
}

test.each(['hybrid', 'keyword'] as const)('of thousands of equal matches a %s search finds the newest', async mode => {
  const corpus = await Corpus.of(await open(), 'coffee')
  await copied(corpus, 6_000)
  const { candidates } = await corpus.candidates('coffee', { mode })
  const numbers = candidates.map(({ memoryId }) => Number.parseInt(memoryId.slice(-12), 16)).sort((a, b) => b - a)
  expect(numbers).toEqual(Array.from({ length: mode === 'keyword' ? 200 : 100 }, (_, n) => 6_000 - n))
})

test('exclusions alone read the index of words for what they exclude, and no other workspace', async () => {
  const world = await open()
  const others = await Corpus.of(world, 'coffee')
  await copied(others, 20_000)
  await world.database.maintain('analyze search.document')
  const corpus = await Corpus.of(world, 'green tea', 'black coffee')
  const query = corpus.query('-coffee', { mode: 'keyword' })
  const read = await corpus.write(async (tx, engine) => {
    const before = await rowsRead(tx)
    const { candidates } = await engine.candidates(tx, query)
    expect(candidates.map(({ memoryId }) => corpus.textOf(memoryId))).toEqual(['green tea'])
    return (await rowsRead(tx)) - before
  })
  expect(read).toBeLessThan(100)
})

test('a search of a workspace without long texts does not read the passages of another', async () => {
  const world = await open()
  const large = await Corpus.of(world, { text: 'a manual', vector: [1, 0], passages: [[1, 0]] })
  await large.write(
    tx => tx`
      insert into search.passage (workspace_id, memory_id, model, ordinal, passages, start_at, end_at, embedding, user_id)
      select passage.workspace_id, gen_random_uuid(), passage.model, 0, 1, 0, 10, passage.embedding, passage.user_id
      from search.passage
      cross join generate_series(1, 5000)
      where passage.workspace_id = ${large.workspaceId}`,
  )
  await world.database.maintain('analyze search.passage')
  const corpus = await Corpus.of(world, 'green tea')
  const passagesRead = await corpus.write(async (tx, engine) => {
    await engine.candidates(tx, corpus.query('green tea'))
    const [passage] = await tx<{ read: number }[]>`
      select seq_tup_read as read from pg_stat_xact_all_tables where relid = 'search.passage'::regclass`
    return passage?.read
  })
  expect(passagesRead).toBe(0)
})

test('a search with a filter compares the passages that pass it, however many others there are', async () => {
  const world = await open()
  const corpus = await Corpus.of(world, { text: 'a manual', vector: [1, 0], passages: [[1, 0]] })
  // They stand before the others in the table and in its index.
  await corpus.write(
    tx => tx`
      insert into search.passage (workspace_id, memory_id, model, ordinal, passages, start_at, end_at, embedding, user_id)
      select
        passage.workspace_id, ('00000000-0000-4000-8000-' || lpad((n / 10)::text, 12, '0'))::uuid, passage.model, n % 10, 10, 0, 10,
        passage.embedding, passage.user_id
      from search.passage
      cross join generate_series(1, 60000) as n
      where passage.workspace_id = ${corpus.workspaceId}`,
  )
  await corpus.add({ text: 'blue manual', vector: [0, 1], passages: [[3, 4]], fields: { categories: ['blue'] } })
  const found = async (text: string, question: Question) => {
    const query = corpus.query(text, { vector: [1, 0], ...question })
    const near = await corpus.write((tx, engine) => engine.nearestPassages(tx, query))
    return [...near.keys()].map(id => corpus.textOf(id))
  }
  expect(await found('zebra', { filter: { categories: ['blue'] } })).toEqual(['blue manual'])
})

/** Each condition looks through all items of the list, and only the last of them decides. */
test('a filter whose conditions take long ends with the time of its statement', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => `x${n}`)
  const list = [...Array.from({ length: 20_000 }, () => ({})), Object.fromEntries(keys.map(key => [key, 1]))]
  const { database } = await open()
  const corpus = await Corpus.of(await open(), { text: 'note', vector: [1, 0], fields: { metadata: { list } } })
  await copied(corpus, 200)
  const metadata = keys.map(key => ({ path: ['list', key], op: 'eq' as const, value: key === 'x99' ? 2 : 1 }))
  for (const question of [{ mode: 'keyword' as const }, { vector: [1, 0] }, {}]) {
    const query = corpus.query('note', { ...question, filter: { metadata } })
    const { engine } = await open()
    const found = database.workspace(corpus.workspaceId, tx => engine.candidates(tx, query), { statementMs: 200 })
    expect([question, await found.catch(({ code }) => code)]).toEqual([question, 'SERVICE_UNAVAILABLE'])
  }
})

describe('planner settings', () => {
  const settings = async (corpus: Corpus, before: (tx: Tx) => Promise<unknown>) =>
    corpus.write(async tx => {
      await before(tx)
      const rows = await tx<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name = any(${textArray(Object.keys(GENERIC_PLAN))}::text[])`
      return new Map(rows.map(({ name, setting }) => [name, setting]))
    })

  test('end with the statement they are for', async () => {
    const corpus = await Corpus.of(await open(), 'green tea')
    const usual = await settings(corpus, async () => undefined)
    let during: string | undefined
    const after = await settings(corpus, async tx => {
      const [row] = await underSettings(
        tx,
        GENERIC_PLAN,
        tx<{ setting: string }[]>`select current_setting('plan_cache_mode') as setting`,
      )
      during = row?.setting
    })
    expect(during).toBe('force_generic_plan')
    expect(after).toEqual(usual)
    expect(usual.get('plan_cache_mode')).toBe('auto')
  })

  test('end with the work they are for, and are kept beside those of one statement of it', async () => {
    const corpus = await Corpus.of(await open(), 'green tea')
    const usual = await settings(corpus, async () => undefined)
    const setting = async (tx: Tx, name: string) => {
      const [row] = await tx<{ setting: string }[]>`select current_setting(${name}) as setting`
      return row?.setting
    }
    let during: unknown
    const after = await settings(corpus, tx =>
      withGenericPlans(tx, async () => {
        await underSettings(tx, { ...GENERIC_PLAN, enable_sort: 'off' }, tx`select 1`)
        during = [await setting(tx, 'plan_cache_mode'), await setting(tx, 'enable_sort')]
      }),
    )
    expect(during).toEqual(['force_generic_plan', 'on'])
    expect(after).toEqual(usual)
  })
})

describe('isolation', () => {
  test.each([
    'search.document',
    'search.embedding',
    'search.passage',
    'search.own_document',
    'search.own_speaker',
    'search.term_delta',
    'search.term_stat',
    'search.corpus_stat',
    'search.query_log',
  ])('a query on %s without its workspace reads nothing of another', async table => {
    const world = await open()
    const corpus = await Corpus.of(world, {
      text: 'Ada: secret of another',
      vector: [1, 0],
      passages: [[1, 0]],
    })
    await world.database.workspace(
      corpus.workspaceId,
      tx => tx`
        insert into search.query_log (workspace_id, id, query, query_hash, mode, results, duration_ms, words, length, created_at)
        values (${corpus.workspaceId}, gen_random_uuid(), 'secret', 'h', 'hybrid', 0, 1, '', 1, now())`,
    )
    if (table.endsWith('stat')) await folded(world.database, corpus.workspaceId)
    const own = await corpus.write(tx => tx`select from ${tx(table)}`)
    expect(own.length).toBeGreaterThan(0)
    const other = await Corpus.of(world)
    const seen = await other.write(tx => tx`select from ${tx(table)}`)
    expect(seen).toHaveLength(0)
  })

  test('nothing can be written for another workspace', async () => {
    const world = await open()
    const corpus = await Corpus.of(world)
    const victim = await Corpus.of(world, 'safe')
    const intrusion = corpus.write((tx, engine) => engine.remove(tx, victim.workspaceId, victim.idsOf('safe')))
    await intrusion
    expect(await victim.found('safe', { mode: 'keyword' })).toEqual(['safe'])
  })
})
