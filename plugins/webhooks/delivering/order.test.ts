import { describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { NATIVE_URL } from '../../../test/support/database.ts'
import { idleService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { PATH } from '../world.test-support.ts'
import {
  BUSY,
  dispatching,
  gist,
  INTERRUPTED,
  newest,
  REFUSED,
  remember,
  startedWith,
  TAKEN,
} from './dispatching.test-support.ts'
import type { AttemptResult } from './send.ts'

const BOTH = ['memory.created', 'memory.updated']

/** A process that knows of a success claims more than it may send at once. */
async function knownReceiver(events = BOTH) {
  const started = await startedWith(events)
  const first = await dispatching()
  first.world.answer = () => TAKEN
  await remember(started.account, 'The first is taken.')
  await first.run(started.account)
  return { ...started, next: await dispatching() }
}

describe('a delivery that was claimed and not sent', () => {
  test('still comes before later ones of its memory', async () => {
    const { account, next } = await knownReceiver()
    const { client } = account
    const memories = Array.from({ length: 10 }, (_, n) => ({ memory: `The box ${n} weighs ${n} kilos.` }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    await client.request('PUT', `/v1/memories/${body.results[9].memory.id}`, { body: { memory: 'The box is light.' } })
    await next.run(account)
    const own = next.sent.map(gist).filter(said => /box 9|light/.test(said))
    expect(own).toEqual(['memory.created The box 9 weighs 9 kilos.', 'memory.updated The box is light.'])
  })

  test('is not sent to a webhook that was paused, moved or deleted meanwhile', async () => {
    for (const change of [
      { method: 'PATCH', body: { active: false } },
      { method: 'PATCH', body: { url: 'http://93.184.216.34/moved' } },
      { method: 'DELETE' },
    ]) {
      const { account, webhook, next } = await knownReceiver()
      const gates: ((result: AttemptResult) => void)[] = []
      next.world.answer = () => new Promise(resolve => void gates.push(resolve))
      const memories = Array.from({ length: 12 }, (_, n) => ({ memory: `The jar ${n} holds ${n} plums.` }))
      await account.client.post('/v1/memories/batch', { memories })
      next.dispatcher.wake(account.workspaceId)
      await until('four are under way', async () => gates.length === 4)
      const { method, ...rest } = change
      await account.client.request(method, `${PATH}/${webhook.id}`, rest)
      next.clock.advance(1000)
      next.world.answer = () => TAKEN
      for (const answer of gates) answer(TAKEN)
      await next.dispatcher.idle()
      const old = next.sent.filter(message => message.webhook.url === webhook.url)
      expect([change, old.length]).toEqual([change, 4])
    }
  })

  test('is signed with the secret that the webhook has by then', async () => {
    const { account, webhook, next } = await knownReceiver()
    const gates: ((result: AttemptResult) => void)[] = []
    next.world.answer = () => new Promise(resolve => void gates.push(resolve))
    const memories = Array.from({ length: 12 }, (_, n) => ({ memory: `The mug ${n} is from year ${n}.` }))
    await account.client.post('/v1/memories/batch', { memories })
    next.dispatcher.wake(account.workspaceId)
    await until('four are under way', async () => gates.length === 4)
    await account.client.post(`${PATH}/${webhook.id}/rotate-secret`)
    next.clock.advance(1000)
    next.world.answer = () => TAKEN
    for (const answer of gates) answer(TAKEN)
    await next.dispatcher.idle()
    const secrets = next.sent.map(message => message.webhook.secret)
    expect(new Set(secrets.slice(0, 4)).size).toBe(1)
    expect(new Set(secrets.slice(4)).size).toBe(1)
    expect(secrets[4]).not.toBe(secrets[0])
  })
})

describe('deliveries about one memory', () => {
  test('go in the order of the changes, whatever the clocks of the servers say', async () => {
    const { account } = await startedWith(BOTH)
    const { workspaceId, client } = account
    const { sent, world, run } = await dispatching()
    world.answer = () => TAKEN
    const { id } = (await remember(account, 'The barn is full.')).body
    await client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The barn is empty.' } })
    // The server that stored it is ahead of the one that changed it.
    const { database } = await idleService()
    await database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.delivery set id = ${v7({ msecs: Date.now() + 5000 })}
        where workspace_id = ${workspaceId} and event = 'memory.created'`,
    )
    await run(account)
    expect(sent.map(gist)).toEqual(['memory.created The barn is full.', 'memory.updated The barn is empty.'])
  })

  test('come before the deletion of several', async () => {
    const { account, next } = await knownReceiver(['memory.created', 'memory.deleted'])
    const { client } = account
    const gates: ((result: AttemptResult) => void)[] = []
    next.world.answer = () => new Promise(resolve => void gates.push(resolve))
    await client.post('/v1/memories/batch', {
      memories: Array.from({ length: 4 }, (_, n) => ({ memory: `The vase ${n} is blue.`, user_id: 'vases' })),
    })
    next.dispatcher.wake(account.workspaceId)
    await until('all are under way', async () => gates.length === 4)
    const removed = await client.delete('/v1/memories', {
      query: { user_id: 'vases' },
      headers: { 'X-Confirm-Password': account.password },
    })
    expect(removed.status).toBe(204)
    const later = await dispatching()
    later.world.answer = () => TAKEN
    await later.run(account)
    expect(later.sent).toEqual([])
    next.world.answer = () => TAKEN
    for (const answer of gates) answer(TAKEN)
    await next.dispatcher.idle()
    await later.run(account)
    expect([...next.sent, ...later.sent].map(({ body }) => JSON.parse(body).event).slice(4)).toEqual(['memory.deleted'])
  })
})

describe('the deletion of several', () => {
  test('waits for a change that was stored while its transaction went on', async () => {
    const { account } = await startedWith(['memory.updated', 'memory.deleted'])
    const { client, workspaceId } = account
    const { sent, world, run } = await dispatching()
    world.answer = () => TAKEN
    const { id } = (await remember(account, 'The sail is up.')).body
    await client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The sail is down.' } })
    await remember(account, 'The mast is high.')
    const everything = { query: { user_id: 'default' }, headers: { 'X-Confirm-Password': account.password } }
    expect((await client.delete('/v1/memories', everything)).status).toBe(204)
    // The embedded database runs one transaction at a time, so the beginning of this one is put before that of the change.
    const { database } = await idleService()
    await database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.delivery set due_at = due_at - interval '1 minute'
        where workspace_id = ${workspaceId} and event = 'memory.deleted'`,
    )
    await run(account)
    expect(sent.map(({ body }) => JSON.parse(body).event)).toEqual(['memory.updated', 'memory.deleted'])
  })

  // The embedded database runs one transaction at a time.
  if (NATIVE_URL)
    test('waits for a change that was stored while it waited for another memory', async () => {
      const { account } = await startedWith(['memory.updated', 'memory.deleted'])
      const { client, workspaceId } = account
      const { sent, world, run } = await dispatching()
      world.answer = () => TAKEN
      const { id: first } = (await remember(account, 'The oar is long.')).body
      const { id } = (await remember(account, 'The keel is dry.')).body
      const { database } = await idleService()
      const removal = await database.workspace(workspaceId, async tx => {
        await tx`select from memories.memory where workspace_id = ${workspaceId} and id = ${first} for update`
        const everything = { query: { user_id: 'default' }, headers: { 'X-Confirm-Password': account.password } }
        const removal = client.delete('/v1/memories', everything)
        await until('the deletion waits', async () => {
          const waiting = await tx`
            select from pg_locks as lock where not lock.granted and pg_backend_pid() = any(pg_blocking_pids(lock.pid))`
          return waiting.length > 0
        })
        await client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The keel is wet.' } })
        return { removal }
      })
      expect((await removal.removal).status).toBe(204)
      await run(account)
      expect(sent.map(({ body }) => JSON.parse(body).event)).toEqual(['memory.updated', 'memory.deleted'])
    })
})

describe('an attempt that is broken off', () => {
  test('by a stop comes again before later deliveries of its memory, at once in another process', async () => {
    const { account } = await startedWith(BOTH)
    const [first, second] = [await dispatching(), await dispatching()]
    const { promise, resolve: stop } = Promise.withResolvers<AttemptResult>()
    first.world.answer = () => promise
    const { id } = (await remember(account, 'The lamp is lit.')).body
    first.dispatcher.wake(account.workspaceId)
    await until('it is under way', async () => first.sent.length === 1)
    await account.client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The lamp is out.' } })
    const stopping = first.dispatcher.stop()
    stop(INTERRUPTED)
    await stopping
    second.world.answer = () => TAKEN
    await second.run(account)
    expect(second.sent.map(gist)).toEqual(['memory.created The lamp is lit.', 'memory.updated The lamp is out.'])
  })

  test('for want of room is made again after a rest, and counts as not made', async () => {
    const { account, webhook } = await startedWith(BOTH)
    const { clock, sent, world, run } = await dispatching()
    world.answer = () => BUSY
    const { id } = (await remember(account, 'The tap drips.')).body
    await run(account)
    await account.client.request('PUT', `/v1/memories/${id}`, { body: { memory: 'The tap is mended.' } })
    await run(account)
    expect(sent.map(gist)).toEqual(['memory.created The tap drips.'])
    expect(await newest(account, webhook.id)).toMatchObject({ status: 'PENDING', attempts: 0 })
    clock.advance(2000)
    world.answer = () => TAKEN
    await run(account)
    expect(sent.map(gist).slice(1)).toEqual(['memory.created The tap drips.', 'memory.updated The tap is mended.'])
    expect((await account.client.get(`${PATH}/${webhook.id}`)).body.failing_since).toBeNull()
  })
})

describe('what attempts say of a receiver', () => {
  test('a success is noted beside a failure that was stored while it ran', async () => {
    const { account, webhook } = await startedWith()
    const known = await dispatching()
    known.world.answer = () => TAKEN
    await remember(account, 'The drum is loud.')
    await known.run(account)
    // Two processes, so that each stores what it saw by itself.
    const [slow, quick] = [await dispatching(), await dispatching()]
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    slow.world.answer = () => promise
    await remember(account, 'The harp is old.')
    slow.dispatcher.wake(account.workspaceId)
    await until('it is under way', async () => slow.sent.length === 1)
    await remember(account, 'The horn is new.')
    await quick.run(account)
    const failingSince = async () => (await account.client.get(`${PATH}/${webhook.id}`)).body.failing_since
    expect(await failingSince()).not.toBeNull()
    resolve(TAKEN)
    await slow.dispatcher.idle()
    expect(await failingSince()).toBeNull()
  })

  test('one whose text is not kept any more has failed at once, and says nothing of the receiver', async () => {
    const { account, webhook } = await startedWith()
    const { sent, run } = await dispatching()
    await remember(account, 'The flute is gone.')
    const { database } = await idleService()
    await database.workspace(
      account.workspaceId,
      tx => tx`delete from webhooks.payload where workspace_id = ${account.workspaceId}`,
    )
    await run(account)
    expect(sent).toEqual([])
    expect(await newest(account, webhook.id)).toMatchObject({
      status: 'FAILED',
      attempts: 0,
      duration_ms: null,
      error: 'What was to be sent is not kept any more.',
    })
    expect((await account.client.get(`${PATH}/${webhook.id}`)).body.failing_since).toBeNull()
  })

  test('the report of a failing one says why it was refused, not that others were not sent', async () => {
    const { account, webhook, next } = await knownReceiver()
    next.world.answer = () => TAKEN
    await remember(account, 'The viola is whole.')
    await next.run(account)
    const { database } = await idleService()
    await database.workspace(
      account.workspaceId,
      tx => tx`
        update webhooks.webhook set failing_since = now() - interval '73 hours'
        where workspace_id = ${account.workspaceId} and id = ${webhook.id}`,
    )
    const gates: ((result: AttemptResult) => void)[] = []
    next.world.answer = () => new Promise(resolve => void gates.push(resolve))
    const memories = Array.from({ length: 12 }, (_, n) => ({ memory: `The cello ${n} is cracked.` }))
    await account.client.post('/v1/memories/batch', { memories })
    next.dispatcher.wake(account.workspaceId)
    await until('eight are under way', async () => gates.length === 8)
    // Four that were to follow are given back with it.
    gates[0]?.(REFUSED)
    await until('it is told', async () => next.told.length > 0)
    for (const answer of gates) answer(REFUSED)
    next.world.answer = () => REFUSED
    await next.dispatcher.idle()
    expect(next.told).toMatchObject([{ kind: 'webhook.failed', data: { error: 'No.', response_code: 503 } }])
  })
})
