import { beforeAll, describe, expect, test } from 'bun:test'
import { type Database, EmbedderInputError } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { idleService } from '../../../test/support/service.ts'
import { registerWorkspace } from '../../../test/support/workspace.ts'
import type { SearchMode } from '../../memories/contract.ts'
import { readTraits } from '../analysis/traits.ts'
import type { EmbeddedQuery, QueryEmbedder } from '../embedding/models.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { storedVectorType } from '../engine/postgres/embeddings.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { deleteSignals, recordSignal } from '../feedback/feedback.ts'
import { searched } from '../log/searched.test-support.ts'
import { queryHash } from '../query/prepare.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'
import { readBalance, resetBalance } from './balance-store.ts'
import { dueWorkspaces, learnBalance, NEW_SIGNALS_MIN } from './learn-balance.ts'
import { fillQueries } from './listener.ts'
import { learningServices, steady } from './services.test-support.ts'

let database: Database
beforeAll(async () => {
  ;({ database } = await idleService())
})

const DAY_MS = 86_400_000
const TOPICS = Array.from(
  { length: 40 },
  (_, n) => `topic${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}x`,
)
const AGES = [100, 60, 25, 0]

const away: QueryEmbedder = { embed: async () => ({ retryAfterSeconds: 1, cause: new Error('away') }) }

/**
 * Creates four notes per topic: the older ones are shorter, by a little or a lot, so that words alone rank the oldest first. Each topic was
 * searched once and one of its notes was liked.
 */
async function world(likes: (topic: number) => number, topics = TOPICS.length, embedder = steady) {
  const engine = await openPostgresEngine(database)
  const vectorType = await storedVectorType(database)
  const corpus = await Corpus.of({ database, engine })
  const { workspaceId } = corpus
  const log = createLog('silent')
  const services = learningServices({ database, engine, vectorType, embedder, log })
  const liked: string[] = []
  for (const [n, topic] of TOPICS.slice(0, topics).entries()) {
    const texts = AGES.map((age, more) => ({
      text: `state of ${topic} then ${'then '.repeat(more * (1 + (n % 8)))}${age}`,
      fields: { createdAt: new Date(Date.now() - age * DAY_MS - 60_000) },
    }))
    liked.push((await corpus.add(...texts))[likes(n)] ?? '')
    services.search.log.add(
      searched(workspaceId, `State of ${topic}`, {
        ...{ queryHash: queryHash(`state of ${topic}`), userId: 'ada', isFiltered: true, results: 4 },
      }),
    )
  }
  await services.search.log.flush()
  const within = <T>(work: Parameters<Database['workspace']>[1]) => database.workspace(workspaceId, work) as Promise<T>
  for (const [n, memoryId] of liked.entries()) {
    const signal = { workspaceId, memoryId, signal: 'POSITIVE', queryHash: queryHash(`state of ${TOPICS[n]}`) } as const
    await within(tx => recordSignal(tx, vectorType, signal, undefined, new Date()))
  }
  return {
    ...{ services, workspaceId, corpus, liked, within },
    learn: (signal = new AbortController().signal) => learnBalance(services, workspaceId, signal),
    balance: () => database.workspace(workspaceId, tx => readBalance(tx, workspaceId)),
    due: async () => (await dueWorkspaces(database, services.quarantine, 'search:fit-balance')).includes(workspaceId),
  }
}

/** Logs a search and likes one of its results. */
async function judge(
  { services, workspaceId, within }: Pick<Awaited<ReturnType<typeof world>>, 'services' | 'workspaceId' | 'within'>,
  query: string,
  mode: SearchMode,
  memoryId = '',
): Promise<void> {
  services.search.log.add(searched(workspaceId, query, { queryHash: queryHash(query), mode, results: 1 }))
  await services.search.log.flush()
  const signal = { workspaceId, memoryId, signal: 'POSITIVE', queryHash: queryHash(query) } as const
  await within(tx => recordSignal(tx, services.vectorType, signal, undefined, new Date()))
}

describe('learnBalance', () => {
  test('raises the weight of recency when new memories are liked, reports it, and waits for new signals', async () => {
    const { learn, balance, due, services, workspaceId, within } = await world(() => 3)
    expect(await due()).toBe(true)
    await learn()
    const learned = await balance()
    expect(learned).toMatchObject({ outcome: 'KEPT', signals: 40, effect: { queries: 40 } })
    expect(learned.balance?.recency).toBeGreaterThan(DEFAULT_BALANCE.recency)
    expect(learned.effect?.after).toBeGreaterThan((learned.effect?.before ?? 1) + 0.03)
    expect(learned.fittedAt).toEqual(learned.checkedAt)
    expect(await due()).toBe(false)
    const asked = { workspaceId, query: 'x', queryHash: 'x' }
    const loaded = await database.workspace(workspaceId, tx => services.search.learned.load(tx, asked))
    expect(loaded.balance).toEqual(learned.balance ?? loaded.balance)
    await within(tx => resetBalance(tx, workspaceId, new Date()))
    expect(await balance()).toMatchObject({ balance: null, fittedAt: null, effect: null, outcome: null })
    expect(await due()).toBe(false)
    await learn()
    expect(await balance()).toMatchObject({ balance: null, outcome: 'TOO_FEW' })
  })

  test('keeps the default when likes do not depend on age', async () => {
    const { learn, balance } = await world(topic => (topic * 7 + Math.floor(topic / 3)) % 4)
    await learn()
    expect(await balance()).toMatchObject({ balance: null, fittedAt: null, effect: null, outcome: 'NOT_BETTER' })
  })

  test('is not due below a number of new signals, and does not learn from a few queries', async () => {
    const { learn, balance, due } = await world(() => 3, 9)
    expect(await due()).toBe(false)
    expect(NEW_SIGNALS_MIN).toBeGreaterThan(9)
    await learn()
    expect(await balance()).toMatchObject({ balance: null, outcome: 'TOO_FEW' })
  })

  test('leaves a workspace due when the model is unavailable or the process stops', async () => {
    const { learn, balance, due } = await world(() => 3, 40, away)
    await expect(learn()).rejects.toThrow('not available')
    const stopped = await world(() => 3)
    await expect(stopped.learn(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
    expect([(await balance()).checkedAt, await due(), await stopped.due()]).toEqual([null, true, true])
    await stopped.learn()
    expect((await stopped.balance()).outcome).toBe('KEPT')
  })

  test('replays a semantic search in a script that the model does not support as it was made, by words', async () => {
    const embedder: QueryEmbedder = {
      embed: async (workspaceId, text) => (text === '抹茶' ? { unknown: true } : steady.embed(workspaceId, text)),
    }
    const judged = await world(() => 3, 40, embedder)
    const [memoryId] = await judged.corpus.add('宇治で抹茶を飲んだ', '抹茶')
    await judge(judged, '抹茶', 'semantic', memoryId)
    await judged.learn()
    expect(await judged.balance()).toMatchObject({ outcome: 'KEPT', effect: { queries: 41 } })
  })

  test.each(['hybrid', 'semantic'] as const)('leaves out a %s search whose text the model refuses', async mode => {
    const refused: EmbeddedQuery = { retryAfterSeconds: 2, cause: new EmbedderInputError('too long', 0) }
    const embedder: QueryEmbedder = {
      embed: async (workspaceId, text) => (text === 'refused' ? refused : steady.embed(workspaceId, text)),
    }
    const judged = await world(() => 3, 40, embedder)
    await judge(judged, 'refused', mode, (await judged.corpus.add('refused', 'refused too'))[0])
    await judged.learn()
    expect(await judged.balance()).toMatchObject({ outcome: 'KEPT', effect: { queries: 40 } })
  })

  test('yields to a reset made meanwhile', async () => {
    const running = await world(() => 3)
    let reset = false
    const embedder: QueryEmbedder = {
      async embed(workspaceId, text) {
        if (!reset) await running.within(tx => resetBalance(tx, running.workspaceId, new Date()))
        reset = true
        return steady.embed(workspaceId, text)
      },
    }
    const { vectorType, log, search } = running.services
    const services = learningServices({ database, engine: search.engine, vectorType, embedder, log })
    await learnBalance(services, running.workspaceId, new AbortController().signal)
    expect(await running.balance()).toMatchObject({ balance: null, outcome: null })
  })
})

describe('fillQueries', () => {
  test('backfills missing vectors of queries, but not of those whose text was deleted', async () => {
    const { services, workspaceId, within, liked } = await world(() => 0, 3)
    await within(tx => tx`delete from search.query_log where query_hash = ${queryHash(`state of ${TOPICS[2]}`)}`)
    await fillQueries(services, new AbortController().signal)
    const known = () =>
      within<{ query_hash: string }[]>(
        tx => tx`select query_hash from search.feedback_query where workspace_id = ${workspaceId}`,
      )
    const hashes = [0, 1].map(n => queryHash(`state of ${TOPICS[n]}`)).sort()
    expect((await known()).map(row => row.query_hash).sort()).toEqual(hashes)
    await within(tx => deleteSignals(tx, workspaceId, liked))
    expect(await known()).toHaveLength(0)
  })

  test('embeds a query that names a speaker as typed, which is how searches compare it', async () => {
    const { services, workspaceId, within, corpus } = await world(() => 0, 0)
    const traits = { ...readTraits('I like tea'), speaker: 'ada' }
    // Whoever speaks less often is not looked for.
    const texts = [1, 2, 3].map(cups => ({ text: `I like ${cups} cups of tea`, fields: { traits } }))
    const [memoryId = ''] = await corpus.add(...texts)
    const query = 'What does Ada like?'
    await judge({ services, workspaceId, within }, query, 'hybrid', memoryId)
    const embedder: QueryEmbedder = {
      embed: async (_, text) => ({
        vector: { model: 32_000, values: text === query ? Float32Array.of(1, 0) : Float32Array.of(0, 1) },
      }),
    }
    await fillQueries({ ...services, search: { ...services.search, embedder } }, new AbortController().signal)
    const rows = await within<{ embedding: string }[]>(
      tx => tx`select embedding::text from search.feedback_query where workspace_id = ${workspaceId}`,
    )
    expect(rows.map(row => row.embedding)).toEqual(['[1,0]'])
  })

  test('deletes vectors of searches for the text of a deleted memory', async () => {
    const { services, workspaceId, within, corpus } = await world(() => 0, 2)
    await fillQueries(services, new AbortController().signal)
    const [id = ''] = await corpus.add(`state of ${TOPICS[0]}`)
    await within(tx => services.search.log.forget(tx, workspaceId, [id]))
    const rows = await within<{ query_hash: string }[]>(
      tx => tx`select query_hash from search.feedback_query where workspace_id = ${workspaceId}`,
    )
    expect(rows.map(row => row.query_hash)).toEqual([queryHash(`state of ${TOPICS[1]}`)])
  })
  test('fills all queries but one whose vector cannot be stored, and that one once it is given back', async () => {
    const worlds = [await world(() => 0, 2), await world(() => 0, 2)] as const
    for (const { workspaceId } of worlds) await registerWorkspace(await idleService(), workspaceId)
    const [{ services, workspaceId }, two] = worlds
    const hashes = [0, 1].map(n => queryHash(`state of ${TOPICS[n]}`))
    const [badDone = '', ...others] = [workspaceId, two.workspaceId].flatMap(id => hashes.map(hash => `${id}/${hash}`))
    const bad = hashes[0] ?? ''
    await expectOneHeldBack({
      ...{ database, sweep: 'search:find-balances', workspaceId, bad, badDone, others },
      ...{ table: 'search.feedback_query', event: 'insert', where: { workspace_id: workspaceId, query_hash: bad } },
      run: () => fillQueries(services, new AbortController().signal),
      async done() {
        const filled = worlds.map(({ workspaceId: id, within }) =>
          within<{ key: string }[]>(
            tx =>
              tx`select workspace_id || '/' || query_hash as key from search.feedback_query where workspace_id = ${id}`,
          ),
        )
        return (await Promise.all(filled)).flat().map(({ key }) => key)
      },
    })
  })

  test('fills the queries of a workspace though another has more than one run takes that never get a vector', async () => {
    const [one, two] = [await world(() => 0, 0), await world(() => 0, 1)]
    await one.within(async tx => {
      await tx`
        insert into search.query_log (
          workspace_id, id, query, query_hash, mode, results, duration_ms, words, length, created_at
        )
        select ${one.workspaceId}, gen_random_uuid(), 'q' || n, 'q' || n, 'hybrid', 1, 1, to_tsvector('q' || n), 1, now()
        from generate_series(1, 600) as n`
      return tx`
        insert into search.feedback (
          workspace_id, query_hash, memory_id, positive, negative, neutral, last_signal, last_signal_at
        )
        select
          ${one.workspaceId}, 'q' || n, gen_random_uuid(), 1, 0, 0, 'POSITIVE', now() + interval '1 hour'
        from generate_series(1, 600) as n`
    })
    const embedder: QueryEmbedder = {
      embed: async (workspaceId, text) =>
        workspaceId === one.workspaceId ? { unknown: true } : steady.embed(workspaceId, text),
    }
    const { services } = two
    await fillQueries({ ...services, search: { ...services.search, embedder } }, new AbortController().signal)
    const rows = await two.within<unknown[]>(
      tx => tx`select from search.feedback_query where workspace_id = ${two.workspaceId}`,
    )
    expect(rows).toHaveLength(1)
  })
})
