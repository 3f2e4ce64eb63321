import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { idleService, type TestService } from '../../../test/support/service.ts'
import { dropOrphans, expireRounds } from '../queries/upkeep.ts'
import { failingWebhooks } from '../queries/webhooks.ts'
import { PATH } from '../world.test-support.ts'
import { BUSY, dispatching, newest, ORIGIN, REFUSED, remember, startedWith, TAKEN } from './dispatching.test-support.ts'
import type { AttemptResult } from './send.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let running: TestService

beforeAll(async () => {
  running = await idleService()
})

describe('a delivery that is refused', () => {
  for (const [random, share] of [
    [0, 0.8],
    [0.5, 1],
    [1, 1.2],
  ] as const) {
    test(`is attempted five times, after 1 min, 10 min, 1 h and 6 h times ${share}, and then has failed`, async () => {
      const { account, webhook } = await startedWith()
      const { clock, sent, run } = await dispatching({ random })
      await remember(account, 'The well is deep.')
      const began = clock.now().getTime()
      await run(account)
      for (const [n, delayMs] of [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR].entries()) {
        const delivery = await newest(account, webhook.id)
        expect(delivery).toMatchObject({ status: 'PENDING', attempts: n + 1, response_code: 503, error: 'No.' })
        expect(Date.parse(delivery.next_attempt_at) - clock.now().getTime()).toBe(delayMs * share)
        clock.advance(delayMs * share - 1)
        await run(account)
        expect(sent).toHaveLength(n + 1)
        clock.advance(1)
        await run(account)
        expect(sent).toHaveLength(n + 2)
      }
      expect(await newest(account, webhook.id)).toMatchObject({ status: 'FAILED', attempts: 5, next_attempt_at: null })
      expect(clock.now().getTime() - began).toBeLessThan(24 * HOUR)
      clock.advance(48 * HOUR)
      await run(account)
      expect(sent).toHaveLength(5)
      expect(new Set(sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)
    })
  }

  test('holds up no later one of the same memory while it waits', async () => {
    const { account, webhook } = await startedWith(['memory.created', 'memory.updated'])
    const { sent, world, run } = await dispatching()
    const { id } = (await remember(account, 'The pond is shallow.')).body
    await run(account)
    world.answer = () => TAKEN
    await account.client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The pond is gone.' } })
    await run(account)
    expect(sent.map(({ body }) => JSON.parse(body).event)).toEqual(['memory.created', 'memory.updated'])
    expect(await newest(account, webhook.id)).toMatchObject({ event: 'memory.updated', status: 'SUCCEEDED' })
  })

  test('is not made of a change of categories or metadata alone', async () => {
    const { account } = await startedWith(['memory.updated'])
    const { sent, world, run } = await dispatching()
    world.answer = () => TAKEN
    const { id } = (await remember(account, 'The pond is shallow.')).body
    const put = (fields: object) => account.client.request('PUT', `/v1/memories/${id}`, { body: fields })
    await put({ memory: 'The pond is shallow.', categories: ['garden'] })
    await put({ memory: 'The pond is shallow.', metadata: { depth: 1 } })
    await put({ memory: 'The pond is shallow.', priority: 'HIGH' })
    await run(account)
    expect(sent.map(({ body }) => JSON.parse(body).data.priority)).toEqual(['HIGH'])
  })

  test('is found again when the process that had it is gone', async () => {
    const { account, webhook } = await startedWith()
    const [first, second] = [await dispatching(), await dispatching()]
    first.world.answer = () => new Promise(() => undefined)
    await remember(account, 'The hall is cold.')
    first.dispatcher.wake(account.workspaceId)
    while (first.sent.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    second.world.answer = () => TAKEN
    await second.run(account)
    expect(second.sent).toEqual([])
    second.clock.advance(61_000)
    await second.run(account)
    expect(await newest(account, webhook.id)).toMatchObject({ status: 'SUCCEEDED', attempts: 1 })
    expect(second.sent[0]?.deliveryId).toBe(first.sent[0]?.deliveryId ?? '')
  })

  test('that is broken off by a stop counts as not attempted', async () => {
    const { account, webhook } = await startedWith()
    const { sent, world, dispatcher, clock, run } = await dispatching()
    const { promise: stopped, resolve: stop } = Promise.withResolvers<AttemptResult>()
    world.answer = () => stopped
    await remember(account, 'The lamp is lit.')
    dispatcher.wake(account.workspaceId)
    while (sent.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    const stopping = dispatcher.stop()
    stop({ ...REFUSED, outcome: 'interrupted' })
    await stopping
    expect(await newest(account, webhook.id)).toMatchObject({ status: 'PENDING', attempts: 0, error: null })
    await run(account)
    expect(sent).toHaveLength(1)
    const next = await dispatching()
    next.world.answer = () => TAKEN
    next.clock.advance(clock.now().getTime() - next.clock.now().getTime() + 3000)
    await next.run(account)
    expect(await newest(account, webhook.id)).toMatchObject({ status: 'SUCCEEDED', attempts: 1 })
  })
})

describe('many deliveries to a receiver that is known to answer', () => {
  test('follow each other in its places, and go back when one of them fails', async () => {
    const { account, webhook } = await startedWith()
    const { sent, world, run } = await dispatching()
    world.answer = () => TAKEN
    await remember(account, 'The first is taken.')
    await run(account)
    const memories = Array.from({ length: 40 }, (_, n) => ({ memory: `The box ${n} weighs ${n} kilos.` }))
    await account.client.post('/v1/memories/batch', { memories })
    // A process that knows of its success, and claims more than it may send at once.
    const next = await dispatching()
    next.world.answer = () => (next.sent.length <= 6 ? TAKEN : REFUSED)
    await next.run(account)
    const states = async (status: string) => {
      const { body } = await account.client.get(`${PATH}/${webhook.id}/deliveries`, {
        query: { status, page_size: 100 },
      })
      return body.data
    }
    const pending = await states('PENDING')
    const attempted = pending.filter(({ attempts }: { attempts: number }) => attempts > 0)
    expect((await states('SUCCEEDED')).length).toBe(7)
    expect(attempted.length + 6).toBe(next.sent.length)
    // A delivery that was claimed and not sent counts no attempt, and all are attempted in the end.
    next.world.answer = () => TAKEN
    next.clock.advance(2 * MINUTE)
    await next.run(account)
    expect((await states('SUCCEEDED')).length).toBe(41)
    expect(new Set([...sent, ...next.sent].map(({ deliveryId }) => deliveryId)).size).toBe(41)
  })
})

describe('a webhook that fails for an hour', () => {
  test('is told once, stays active, and is told again when it works', async () => {
    const { account, webhook } = await startedWith()
    const { clock, told, world, run } = await dispatching()
    const { client, workspaceId } = account
    const failing = () =>
      running.database.workspace(workspaceId, tx =>
        failingWebhooks(tx, workspaceId, new Date(clock.now().getTime() - HOUR)),
      )
    const since = clock.now()
    for (const [day, expected] of [0, 1, 1, 1, 1].entries()) {
      await remember(account, `Day ${day} was dry.`)
      await run(account)
      expect([day, told.length]).toEqual([day, expected])
      clock.advance(24 * HOUR)
    }
    expect(told).toMatchObject([
      {
        kind: 'webhook.failed',
        subjectId: webhook.id,
        data: {
          webhook_id: webhook.id,
          url: ORIGIN,
          failing_since: since.toISOString(),
          error: 'No.',
          response_code: 503,
        },
      },
    ])
    expect((await client.get(`${PATH}/${webhook.id}`)).body).toMatchObject({
      active: true,
      failing_since: since.toISOString(),
    })
    expect(await failing()).toEqual([{ webhookId: webhook.id, url: ORIGIN, failingSince: since, gaveUp: false }])
    world.answer = () => TAKEN
    await remember(account, 'Day 5 was wet.')
    await run(account)
    expect(told.slice(1)).toMatchObject([{ kind: 'webhook.recovered', subjectId: webhook.id }])
    expect((await client.get(`${PATH}/${webhook.id}`)).body.failing_since).toBeNull()
    expect(await failing()).toEqual([])
  })
})

test('a webhook is told of after ten failed attempts in a row, and not for as many between which one succeeds', async () => {
  const { account } = await startedWith()
  const { world, told, run, clock } = await dispatching()
  const attempts = async (count: number, result: AttemptResult) => {
    world.answer = () => result
    for (let n = 0; n < count; n++) {
      await remember(account, `The tower has ${randomUUID()} steps.`)
      await run(account)
      // An attempt that failed comes again after a minute at the earliest.
      clock.advance(1)
    }
    return told.map(({ kind }) => kind)
  }
  expect(await attempts(9, REFUSED)).toEqual([])
  expect(await attempts(1, TAKEN)).toEqual([])
  expect(await attempts(9, REFUSED)).toEqual([])
  expect(await attempts(1, REFUSED)).toEqual(['webhook.failed'])
  expect(await attempts(1, REFUSED)).toEqual(['webhook.failed'])
})

test('an alert warns of a webhook that fails, and is critical once a delivery was given up', async () => {
  const { account, webhook } = await startedWith()
  const { client, workspaceId } = account
  const { world, clock, run } = await dispatching()
  const alerts = async () => {
    await running.database.system(
      tx => tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`,
    )
    const { body } = await client.get('/v1/dashboard/alerts')
    return body.flatMap((alert: { type: string; severity: string; resolved_at: string | null }) =>
      alert.type === 'WEBHOOK_FAILING' ? [[alert.severity, alert.resolved_at === null]] : [],
    )
  }
  await remember(account, 'The kiln is cold.')
  await run(account)
  expect(await alerts()).toEqual([])
  await running.database.system(
    tx => tx`
      update webhooks.webhook set failing_since = now() - interval '61 minutes' where workspace_id = ${workspaceId}`,
  )
  expect(await alerts()).toEqual([['WARNING', true]])
  for (const minutes of [2, 15, 90, 600]) {
    clock.advance(minutes * MINUTE)
    await run(account)
  }
  expect((await newest(account, webhook.id)).status).toBe('FAILED')
  expect(await alerts()).toEqual([['CRITICAL', true]])
  world.answer = () => TAKEN
  await remember(account, 'The kiln is hot.')
  await run(account)
  expect(await alerts()).toEqual([['CRITICAL', false]])
})

describe('upkeep', () => {
  test('ends rounds after 24 hours, of what was never attempted only where the webhook is paused or fails', async () => {
    const { account, webhook } = await startedWith()
    const { workspaceId, client } = account
    await remember(account, 'The path is long.')
    const late = (hours: number) =>
      running.database.workspace(
        workspaceId,
        tx => tx`
          update webhooks.delivery set round_started_at = now() - ${`${hours} hours`}::interval
          where workspace_id = ${workspaceId}`,
      )
    const expire = (isServed = true) =>
      running.database.workspace(workspaceId, tx => expireRounds(tx, workspaceId, isServed))
    await late(25)
    expect(await expire()).toBe(0)
    await client.request('PATCH', `${PATH}/${webhook.id}`, { body: { active: false } })
    await late(23)
    expect(await expire()).toBe(0)
    await late(25)
    expect(await expire()).toBe(1)
    expect(await newest(account, webhook.id)).toMatchObject({
      status: 'FAILED',
      attempts: 0,
      error: 'It could not be attempted within 24 hours.',
      next_attempt_at: null,
    })
  })

  test('notes of a failing webhook that a delivery was given up', async () => {
    const { account } = await startedWith()
    const { workspaceId } = account
    await remember(account, 'The gate is shut.')
    const failing = await running.database.workspace(workspaceId, async tx => {
      await tx`update webhooks.webhook set failing_since = now() where workspace_id = ${workspaceId}`
      await tx`update webhooks.delivery set round_started_at = now() - interval '25 hours' where workspace_id = ${workspaceId}`
      await expireRounds(tx, workspaceId, true)
      return failingWebhooks(tx, workspaceId, new Date(0))
    })
    expect(failing).toMatchObject([{ gaveUp: true }])
  })

  test('ends rounds after 24 hours of what had no turn among others each time, which another round may have', async () => {
    const { account, webhook } = await startedWith()
    const { workspaceId, client } = account
    const { clock, world, sent, run } = await dispatching()
    world.answer = () => BUSY
    await remember(account, 'The mill is busy.')
    await run(account)
    const expire = async () => {
      await running.database.workspace(
        workspaceId,
        tx => tx`
          update webhooks.delivery set round_started_at = now() - interval '25 hours'
          where workspace_id = ${workspaceId}`,
      )
      clock.advance(MINUTE)
      await run(account)
      return running.database.workspace(workspaceId, tx => expireRounds(tx, workspaceId, true))
    }
    expect([await expire(), sent.length]).toEqual([1, 1])
    const delivery = await newest(account, webhook.id)
    expect(delivery).toMatchObject({
      status: 'FAILED',
      attempts: 0,
      error: 'It could not be attempted within 24 hours.',
    })
    await client.post(`${PATH}/${webhook.id}/deliveries/${delivery.id}/redeliver`)
    await running.database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.delivery set busy_at = now() - interval '26 hours' where workspace_id = ${workspaceId}`,
    )
    world.answer = () => TAKEN
    expect([await expire(), sent.length]).toEqual([0, 2])
  })

  test('ends rounds after 24 hours where the plan lost the feature', async () => {
    const { account, webhook } = await startedWith()
    const { workspaceId } = account
    await remember(account, 'The hedge is tall.')
    const expire = (isServed: boolean) =>
      running.database.workspace(workspaceId, tx => expireRounds(tx, workspaceId, isServed))
    expect(await expire(false)).toBe(0)
    await running.database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.delivery set round_started_at = now() - interval '25 hours'
        where workspace_id = ${workspaceId}`,
    )
    expect(await expire(true)).toBe(0)
    expect(await expire(false)).toBe(1)
    expect(await newest(account, webhook.id)).toMatchObject({ status: 'FAILED', attempts: 0 })
  })

  test('of a round that had its 24 hours is not waited for: it has no further attempt', async () => {
    const { account } = await startedWith()
    const { clock, sent, run } = await dispatching()
    await remember(account, 'The moss is thick.')
    await run(account)
    clock.advance(25 * HOUR)
    await run(account)
    expect(sent).toHaveLength(1)
  })

  test('drops what is due to a webhook that is gone', async () => {
    const { account, webhook } = await startedWith()
    const { workspaceId } = account
    await remember(account, 'The roof is new.')
    await running.database.workspace(
      workspaceId,
      tx => tx`delete from webhooks.webhook where workspace_id = ${workspaceId} and id = ${webhook.id}`,
    )
    expect(await running.database.workspace(workspaceId, tx => dropOrphans(tx, workspaceId))).toBe(1)
  })
})
