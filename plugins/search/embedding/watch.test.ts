import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { type Database, type Embedder, EmbedderUnavailableError, type NewJob } from 'mneme/plugin'
import { pino } from 'pino'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { openDatabase } from '../engine/typesense/world.test-support.ts'
import { createQueryEmbedder, OpenModels } from './models.ts'
import { ReEmbedding } from './re-embedding.ts'
import { claimWork } from './use-store.ts'
import { EmbeddingWatch } from './watch.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(await ownDatabaseUrl())
})

function embedderOf(name: string): Embedder {
  return {
    modelId: `http/${name}`,
    dimensions: 2,
    embed: async texts => texts.map(() => ({ vector: Float32Array.of(1, 0), tokens: 1 })),
    ready: async () => undefined,
  }
}

/** Builds a process that is configured with one model and cannot open any other. */
async function processWith(name: string) {
  const lines: { level: number; msg: string }[] = []
  const stream = new Writable({
    write(line, _, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  const log = pino({ level: 'info' }, stream)
  const added: NewJob[] = []
  const embedder = embedderOf(name)
  const models = new OpenModels({
    database,
    embedder,
    embedders: {
      configured: { kind: 'http', url: `http://${name}.test/v1`, model: name, sendsDimensions: false },
      open: () => Promise.reject(new Error('no other model here')),
    },
    log,
  })
  const work = new ReEmbedding({
    ...{ database, models, log, graceMs: 0 },
    quarantine: quarantineOf('search', database),
    engine: await openPostgresEngine(database),
    jobs: { enqueue: async (_, jobs) => void added.push(...jobs) },
    reader: () => {
      throw new Error('there is no memory')
    },
  })
  const watch = new EmbeddingWatch({ database, embedder, models, work, log })
  const said = (part: string) => lines.filter(({ msg }) => msg.includes(part)).length
  return { models, watch, work, added, said }
}

describe('a start', () => {
  test('decides the model if it is the latest; earlier processes warn once and follow', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const early = await processWith(a)
    await early.watch.run()
    await early.work.run()
    const late = await processWith(b)
    await late.watch.run()
    expect(late.said('memories are re-embedded')).toBe(1)
    for (let n = 0; n < 3; n++) await early.watch.run()
    expect(early.said('a process that started later')).toBe(1)
    expect((await early.models.refresh()).target?.modelId).toBe(`http/${b}`)
    await late.work.run()
    expect(await early.models.refresh()).toMatchObject({ active: { modelId: `http/${b}` }, target: undefined })
    expect(late.said('searches now use the new embedding model')).toBe(1)
    const again = await processWith(a)
    await again.watch.run()
    expect((await late.models.refresh()).target?.modelId).toBe(`http/${a}`)
    await late.watch.run()
    expect(late.said('a process that started later')).toBe(1)
    await again.work.run()
  })

  test('with the current target continues the re-embedding', async () => {
    const name = randomUUID()
    await (await processWith(name)).watch.run()
    const second = await processWith(name)
    await second.watch.run()
    expect(second.said('re-embedding resumes')).toBe(1)
    await second.work.run()
  })
})

describe('re-embedding', () => {
  test('is left to the process that claimed it, and queued again when that one is gone', async () => {
    const { watch, work, models, added } = await processWith(randomUUID())
    await database.system(async tx => {
      await tx`update search.embedding_use set clean_from = null`
    })
    await watch.run()
    expect(added).toHaveLength(1)
    expect(await database.system(tx => claimWork(tx, randomUUID()))).toBe(true)
    await work.run()
    expect((await models.refresh()).target).toBeDefined()
    expect((await models.refresh()).due).toBe(false)
    // It may have been claimed before the clock was put back.
    for (const gone of ['-1 second', '1 hour']) {
      await database.system(tx => tx`update search.embedding_use set claimed_until = now() + ${gone}::text::interval`)
      expect((await models.refresh()).due).toBe(true)
    }
    await work.run()
    expect((await models.refresh()).target).toBeUndefined()
  })
})

test('former vectors stay for their time, and no longer where the clock was put back meanwhile', async () => {
  const { watch, models } = await processWith(randomUUID())
  await watch.run()
  const cleaningAt = async (inSeconds: number) => {
    await database.system(
      tx => tx`update search.embedding_use set target = null, clean_from = now() + make_interval(secs => ${inSeconds})`,
    )
    const { cleaning, due } = await models.refresh()
    return [cleaning, due]
  }
  expect(await cleaningAt(20)).toEqual(['later', false])
  expect(await cleaningAt(-1)).toEqual(['now', true])
  expect(await cleaningAt(3600)).toEqual(['now', true])
  expect(await database.system(tx => claimWork(tx, randomUUID()))).toBe(true)
  await database.system(tx => tx`update search.embedding_use set clean_from = null, claimed_until = null`)
})

test('a model that was declined is tried again after a minute, and no later where the clock was put back meanwhile', async () => {
  const { watch, models } = await processWith(randomUUID())
  await watch.run()
  const declined = async (inSeconds: number) => {
    await database.system(
      tx => tx`update search.embedding_use set declined_at = now() + make_interval(secs => ${inSeconds})`,
    )
    return (await models.refresh()).declined
  }
  expect([await declined(-30), await declined(-90), await declined(3600)]).toEqual([true, false, false])
  await database.system(tx => tx`update search.embedding_use set declined_at = null`)
})

test('a process that cannot open the active model reports it as unavailable', async () => {
  const other = await processWith(randomUUID())
  await other.watch.run()
  await other.work.run()
  const { models } = await processWith(randomUUID())
  const query = await createQueryEmbedder(models, { tokens: () => undefined }).embed('', 'x')
  expect(query).toMatchObject({ cause: expect.any(EmbedderUnavailableError) })
})
