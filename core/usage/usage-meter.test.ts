import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { until } from '../../test/support/wait.ts'
import { eraseTenantRows } from '../auth/control/tenant-rows.ts'
import type { Database } from '../db/database.ts'
import { createUsageMeter } from './usage-meter.ts'

let database: Database
let workspaceId: string
let otherId: string

beforeAll(async () => {
  const plane = await controlPlane()
  database = plane.storage.database
  ;({ workspaceId, twinId: otherId } = await plane.account())
})

/** Reads a workspace's counters of today, by operation. */
async function written(id: string) {
  const rows = await database.system(
    tx => tx<{ name: string; input: number; output: number }[]>`
      select metric || ':' || operation as name, input::int, output::int from core.usage where workspace_id = ${id}`,
  )
  return Object.fromEntries(rows.map(row => [row.name, [row.input, row.output]]))
}

/** Counts the batches whose ids are kept. */
const batches = async () => (await database.system(tx => tx`select from core.usage_batch`)).length

/** A meter whose database loses one reply to a transaction after which `isWritten`. */
function losing(isWritten: () => Promise<boolean>) {
  let isLosing = false
  const unsteady: Database = {
    ...database,
    async system(work, options) {
      const result = await database.system(work, options)
      if (isLosing && (await isWritten())) {
        isLosing = false
        throw new Error('the reply is lost')
      }
      return result
    },
  }
  const meter = createUsageMeter({ database: unsteady })
  return {
    meter,
    loseReply() {
      isLosing = true
    },
  }
}

describe('the usage meter', () => {
  test('adds up what it counted, by workspace and operation, over several flushes', async () => {
    const meter = createUsageMeter({ database })
    meter.request(workspaceId)
    meter.request(workspaceId)
    meter.tokens(workspaceId, 'embedding', 10)
    meter.tokens(otherId, 'embedding', 5)
    await meter.flush()
    meter.tokens(workspaceId, 'embedding', 1)
    meter.tokens(workspaceId, 'enrichment', 100, 20)
    await meter.stop()
    expect(await written(workspaceId)).toEqual({
      'requests:': [2, 0],
      'tokens:embedding': [11, 0],
      'tokens:enrichment': [100, 20],
    })
    expect(await written(otherId)).toEqual({ 'tokens:embedding': [5, 0] })
  })

  test("the month's usage counts what other servers wrote, and what is not written yet", async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const clock = { now: Date.now() }
    const meter = createUsageMeter({ database, now: () => clock.now })
    const elsewhere = createUsageMeter({ database })
    elsewhere.tokens(id, 'embedding', 100)
    await elsewhere.flush()
    meter.tokens(id, 'enrichment', 1, 2)
    meter.request(id)
    expect(await meter.monthUsage(id)).toEqual({ requests: 1, tokens: 103 })
    await meter.flush()
    expect(await meter.monthUsage(id)).toEqual({ requests: 1, tokens: 103 })
    elsewhere.tokens(id, 'embedding', 50)
    await elsewhere.flush()
    expect(await meter.monthUsage(id)).toEqual({ requests: 1, tokens: 103 })
    clock.now += 5001
    expect(await meter.monthUsage(id)).toEqual({ requests: 1, tokens: 153 })
  })

  test('what could not be written is kept, still counted, and written by the next flush', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const broken = { away: false }
    const unsteady: Database = {
      ...database,
      system: work => (broken.away ? Promise.reject(new Error('away')) : database.system(work)),
    }
    const meter = createUsageMeter({ database: unsteady })
    await meter.monthUsage(id)
    broken.away = true
    meter.tokens(id, 'embedding', 7)
    expect((await failure(meter.flush()))?.message).toBe('away')
    meter.tokens(id, 'embedding', 1)
    expect(await meter.monthUsage(id)).toEqual({ tokens: 8 })
    broken.away = false
    await meter.flush()
    expect(await written(id)).toEqual({ 'tokens:embedding': [8, 0] })
  })

  test('what is written where only the reply to the commit is lost counts once', async () => {
    const { workspaceId: id, twinId } = await (await controlPlane()).account()
    const { meter, loseReply } = losing(async () => Object.keys(await written(id)).length > 0)
    const before = await batches()
    await meter.monthUsage(id)
    meter.tokens(id, 'embedding', 7)
    loseReply()
    expect((await failure(meter.flush()))?.message).toBe('the reply is lost')
    expect(await written(id)).toEqual({ 'tokens:embedding': [7, 0] })
    meter.tokens(id, 'embedding', 1)
    meter.request(twinId)
    expect(await meter.monthUsage(id)).toEqual({ tokens: 8 })
    await meter.stop()
    expect(await written(id)).toEqual({ 'tokens:embedding': [8, 0] })
    expect(await written(twinId)).toEqual({ 'requests:': [1, 0] })
    expect(await meter.monthUsage(id)).toEqual({ tokens: 8 })
    expect(await batches()).toBe(before + 1)
  })

  test('nor is it written twice where writing it again is refused first', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const waiting = ['lost', 'refused', 'away']
    const unsteady: Database = {
      ...database,
      async system(work, options) {
        const reply = waiting.shift()
        if (reply === 'away') throw new Error('away')
        if (reply === 'refused') return database.system(tx => tx`select 1 / 0`.then(() => work(tx)))
        const result = await database.system(work, options)
        if (reply === 'lost') throw new Error('the reply is lost')
        return result
      },
    }
    const meter = createUsageMeter({ database: unsteady })
    await meter.monthUsage(id)
    meter.tokens(id, 'embedding', 7)
    for (const message of ['the reply is lost', 'division by zero', 'away']) {
      expect((await failure(meter.flush()))?.message).toBe(message)
      expect(await meter.monthUsage(id)).toEqual({ tokens: 7 })
    }
    meter.request(id)
    await meter.stop()
    expect(waiting).toEqual([])
    expect(await written(id)).toEqual({ 'requests:': [1, 0], 'tokens:embedding': [7, 0] })
    expect(await meter.monthUsage(id)).toEqual({ requests: 1, tokens: 7 })
  })

  test('a reading taken while counts are being written has them once at the most', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const committed = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow: Database = {
      ...database,
      async system(work, options) {
        const result = await database.system(work, options)
        committed.resolve()
        await goOn.promise
        return result
      },
    }
    const meter = createUsageMeter({ database: slow })
    meter.request(id)
    const flush = meter.flush()
    await committed.promise
    meter.request(id)
    expect(await meter.monthUsage(id)).toEqual({ requests: 2 })
    goOn.resolve()
    await flush
    expect(await meter.monthUsage(id)).toEqual({ requests: 2 })
  })

  test('requests of one moment read the month together', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    let statements = 0
    const counted: Database = {
      ...database,
      system(work, options) {
        statements++
        return database.system(work, options)
      },
      workspace(own, work, options) {
        statements++
        return database.workspace(own, work, options)
      },
    }
    const meter = createUsageMeter({ database: counted })
    await Promise.all(Array.from({ length: 20 }, () => meter.monthUsage(id)))
    expect(statements).toBe(1)
  })

  test('tokens of a transaction count once when it commits, and not when it fails', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const meter = createUsageMeter({ database })
    const fails = database.workspace(id, async tx => {
      await meter.tokensIn(tx, id, 'embedding', 50)
      throw new Error('rolled back')
    })
    expect((await failure(fails))?.message).toBe('rolled back')
    expect(await written(id)).toEqual({})
    await meter.monthUsage(id)
    await database.workspace(id, tx => meter.tokensIn(tx, id, 'embedding', 7, 1))
    expect(await written(id)).toEqual({ 'tokens:embedding': [7, 1] })
    expect(await meter.monthUsage(id)).toEqual({ tokens: 8 })
  })

  test('many counters start a flush out of turn', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const meter = createUsageMeter({ database, countersMax: 3 })
    for (const operation of ['a', 'b', 'c']) meter.tokens(id, operation, 1)
    await until('they are written', async () => Object.keys(await written(id)).length === 3)
  })

  test('usage of a workspace that is gone does not come back, nor stop the rest from being written', async () => {
    const { workspaceId: id } = await (await controlPlane()).account()
    const meter = createUsageMeter({ database })
    const gone = randomUUID()
    meter.request(gone)
    meter.request(id)
    await meter.flush()
    expect(await written(gone)).toEqual({})
    expect(await written(id)).toEqual({ 'requests:': [1, 0] })
  })

  test('what could not be stored is cut to what can be, and keeps no other from it', async () => {
    const { workspaceId: id, twinId } = await (await controlPlane()).account()
    const meter = createUsageMeter({ database })
    meter.tokens(id, 'embedding', Number.MAX_VALUE, -5)
    meter.tokens(id, 'a\u0000\ud800b', Number.NaN, 1.5)
    meter.request(twinId)
    await meter.flush()
    const rows = await database.system(
      tx => tx<{ operation: string; input: number; output: number }[]>`
        select operation, input::float8, output::float8 from core.usage where workspace_id = ${id} order by input`,
    )
    expect([...rows]).toEqual([
      { operation: 'a\ufffdb', input: 0, output: 2 },
      { operation: 'embedding', input: 1e12, output: 0 },
    ])
    expect(await written(twinId)).toEqual({ 'requests:': [1, 0] })
  })

  test('a deleted workspace takes its usage and events with it', async () => {
    const { workspaceId: id, twinId } = await (await controlPlane()).account()
    const meter = createUsageMeter({ database })
    meter.request(id)
    meter.request(twinId)
    await meter.flush()
    await database.system(async tx => {
      await tx`insert into core.event (workspace_id, id, kind) values (${id}, ${randomUUID()}, 'x.y')`
    })
    for (const ended of [twinId, id]) await eraseTenantRows(database, ended, new AbortController().signal)
    expect([await written(id), await written(twinId)]).toEqual([{}, {}])
    const events = await database.system(tx => tx`select 1 from core.event where workspace_id = ${id}`)
    expect(events).toHaveLength(0)
  })
})
