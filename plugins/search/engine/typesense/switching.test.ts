import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { Registry } from 'prom-client'
import { ChoreRunner } from '../../../../core/boot/chores.ts'
import { createLog } from '../../../../core/log.ts'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { openEngine } from '../open.ts'
import { FAKE_KEY, FakeTypesense } from './fake/cluster.test-support.ts'
import type { TypesenseEngine } from './index.ts'
import { rebuild } from './upkeep.ts'
import { verifyIndex } from './verify.ts'
import { openDatabase, openOn, settle } from './world.test-support.ts'

const QUIET_MS = 30_000
const { signal } = new AbortController()

let fake: FakeTypesense
let database: Database

beforeEach(async () => {
  await fake?.stop()
  fake = new FakeTypesense(1, 'switching.test')
  await fake.start()
  database = await openDatabase(await ownDatabaseUrl())
})

afterAll(() => fake.stop())

const withTypesense = () => openOn(database, fake.urls, FAKE_KEY, 0, { quietMs: QUIET_MS })

/** Opens what a process without TYPESENSE_URL has: an engine, and the chore by which it says that it writes. */
async function withoutTypesense() {
  const log = createLog('silent')
  const { engine, chores } = await openEngine({}, { database, log, metrics: new Registry() })
  const chore = chores.find(({ name }) => name === 'search.no-typesense')
  if (!chore) throw new Error('there is no such chore')
  return { database, engine, chore, tell: () => chore.run() }
}

/** Lets time pass since a process without Typesense was heard of. */
const pass = (seconds: number) =>
  database.system(
    tx =>
      tx`update search.typesense_index set quiet_since = typesense_index.quiet_since - ${seconds}::int * interval '1 second'`,
  )

const filled = () => fake.store.aliases.has('mneme_memories')

async function drifts(engine: TypesenseEngine) {
  return (await verifyIndex({ database, server: engine.server, index: engine.alias }, signal)).drifts
}

describe('processes with and without TYPESENSE_URL', () => {
  test('the last one without it is waited for before the first collection is filled', async () => {
    const old = await withoutTypesense()
    await old.tell()
    const corpus = await Corpus.of(old, 'before')
    const next = await withTypesense()
    await next.upkeep.run()
    await pass(29)
    await old.tell()
    await corpus.add('from the old process')
    await pass(29)
    await next.upkeep.run()
    expect(filled()).toBe(false)
    expect(await corpus.in({ database, engine: next }).found('old before')).toEqual(['before', 'from the old process'])
    await pass(2)
    await settle(next)
    expect(filled()).toBe(true)
    expect(await drifts(next)).toEqual([])
  })

  test('a command without it, which runs chores at its stop alone, leaves the index in use', async () => {
    const server = await withTypesense()
    await server.upkeep.run()
    await pass(31)
    await settle(server)
    const { chore } = await withoutTypesense()
    await new ChoreRunner([{ owner: 'search', chore }], createLog('silent')).stop(1000)
    await server.upkeep.run()
    expect([server.upkeep.serving, server.upkeep.forsaken]).toEqual([true, false])
  })

  test('an index that was left is filled again when Typesense is used again', async () => {
    const old = await withTypesense()
    const corpus = await Corpus.of({ database, engine: old }, 'before')
    await old.upkeep.run()
    await pass(31)
    await settle(old)
    const before = fake.store.aliases.get('mneme_memories')
    const next = await withoutTypesense()
    await next.tell()
    // The old process sees it and is still there for a while.
    await old.upkeep.run()
    await pass(29)
    await next.tell()
    await old.upkeep.run()
    await corpus.in(next).add('written without')
    expect(fake.store.aliases.get('mneme_memories')).toBe(before)
    const again = await withTypesense()
    await again.upkeep.run()
    await pass(31)
    await settle(again)
    expect(await drifts(again)).toEqual([])
    expect(await corpus.in({ database, engine: again }).found('without', { mode: 'keyword' })).toEqual([
      'written without',
    ])
  })

  test('while both run, Postgres serves searches and the warning names the cause', async () => {
    const server = await withTypesense()
    await server.upkeep.run()
    await pass(31)
    await settle(server)
    const worker = await withoutTypesense()
    const corpus = await Corpus.of(worker, 'by the worker')
    await worker.tell()
    await server.upkeep.run()
    const { candidates, warning } = await corpus.in({ database, engine: server }).candidates('worker')
    expect([candidates.length, warning]).toEqual([1, expect.stringContaining('runs without TYPESENSE_URL')])
    expect([server.upkeep.serving, server.upkeep.forsaken]).toEqual([false, true])
  })

  test('a rebuild waits for the last one without it', async () => {
    const old = await withoutTypesense()
    const next = await withTypesense()
    await next.upkeep.run()
    await old.tell()
    const corpus = await Corpus.of(old, 'written without')
    const lines: string[] = []
    const passing: Promise<unknown>[] = []
    const print = (line: string) => {
      lines.push(line)
      passing.push(pass(31))
    }
    expect(await rebuild(next.upkeep, { print, signal })).toBe(true)
    await Promise.all(passing)
    expect(lines[0]).toBe('Waiting for half a minute, in case a process without TYPESENSE_URL writes memories.')
    expect(await drifts(next)).toEqual([])
    expect(await corpus.in({ database, engine: next }).found('without', { mode: 'keyword' })).toEqual([
      'written without',
    ])
  })
})
