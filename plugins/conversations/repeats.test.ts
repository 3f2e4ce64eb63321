import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { bind, type Tenant, type Tx } from 'mneme/plugin'
import { Switchboard } from '../../core/ports.ts'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { service } from '../../test/support/service.ts'
import { memoryReader, memoryWriter } from '../memories/contract.ts'
import { conversationsPlugin } from './index.ts'
import { LONG, jobWorld as world } from './job-world.test-support.ts'
import { keepFacts } from './keep-facts.ts'
import { forgetMemories } from './queries/forget-memories.ts'
import { claimForReading } from './queries/progress.ts'
import { findTurns } from './queries/turns.ts'
import type { ConversationsScope } from './scope.ts'
import { requeueTask } from './tasks/requeue.ts'
import { handIn, PATH, settled, user } from './world.test-support.ts'

const MESSAGES = [user('I live in Ghent. I play the oboe.'), user('My cat is called Pixel.')]

describe('the same messages', () => {
  test('handed in again are the same conversation, and make no second set of memories', async () => {
    const { client } = await (await service()).account()
    const first = await handIn(client, MESSAGES, { user_id: 'ada' })
    const again = await client.post(PATH, { messages: MESSAGES, user_id: 'ada' })
    expect(again.status).toBe(202)
    expect(again.body).toEqual({ ...first, memories: null })
    const noted = await handIn(client, MESSAGES, { user_id: 'ada', categories: ['later'] })
    expect(noted.id).not.toBe(first.id)
    const other = await handIn(client, MESSAGES, { user_id: 'ada', session_id: 's' })
    expect(other.id).not.toBe(first.id)
    expect(other).toMatchObject({ memories: first.memories, memories_created: 0, memories_known: 3 })
    expect((await client.get('/v1/memories')).body.total).toBe(3)
  })

  test('handed in a day later are another one: what has changed since becomes a memory again', async () => {
    const account = await (await service()).account()
    const { client, workspaceId } = account
    const messages = [user('I live in Lisbon.')]
    const first = await handIn(client, messages)
    await client.put(`/v1/memories/${first.memories[0]}`, { memory: 'I live in Porto.' })
    const { database } = await service()
    const age = (hours: number) =>
      database.workspace(
        workspaceId,
        tx => tx`
          update conversations.conversation
          set updated_at = now() - make_interval(hours => ${hours})
          where conversation.workspace_id = ${workspaceId}`,
      )
    await age(23)
    expect((await client.post(PATH, { messages })).body.id).toBe(first.id)
    await age(25)
    const answers = await Promise.all([1, 2, 3].map(() => client.post(PATH, { messages })))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const later = await settled(client, answers[0]?.body.id)
    expect(later.id).not.toBe(first.id)
    expect(later.memories_created).toBe(1)
    expect((await client.get('/v1/memories')).body.total).toBe(2)
  })

  test('handed in ten times at once as well', async () => {
    const { client } = await (await service()).account()
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.post(PATH, { messages: MESSAGES })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202))
    const ids = new Set(answers.map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    await settled(client, answers[0]?.body.id)
    expect((await client.get('/v1/memories')).body.total).toBe(3)
  })

  test('with an Idempotency-Key of their own get the first answer', async () => {
    const { client } = await (await service()).account()
    const headers = { 'idempotency-key': randomUUID() }
    const first = await client.post(PATH, { messages: MESSAGES }, { headers })
    await settled(client, first.body.id)
    const again = await client.post(PATH, { messages: MESSAGES }, { headers })
    expect(again.body).toEqual(first.body)
  })
})

describe('a job', () => {
  test('reads a part, hands on to the next, and what was said goes with the last one', async () => {
    const { run, enqueued, conversation, results, messagesKept } = await world(LONG)
    await run(0)
    expect(await conversation()).toMatchObject({ status: 'PROCESSING', nextTurn: 40 })
    expect(enqueued).toMatchObject([{ task: 'conversations:extract', payload: { turn: 40 } }])
    await run(40)
    expect(await messagesKept()).toBe(90)
    await run(80)
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', nextTurn: 90, extractedBy: ['local'] })
    expect(await results()).toHaveLength(90)
    expect(await messagesKept()).toBe(0)
  })

  test('that runs twice, at once or later, stores everything once', async () => {
    const { run, enqueued, conversation, total } = await world(LONG)
    await Promise.all([run(0), run(0), run(0)])
    await run(0)
    expect(await total()).toBe(40)
    expect(enqueued).toHaveLength(1)
    await Promise.all([run(40), run(40)])
    await run(80)
    await run(80)
    await run(0)
    expect(await total()).toBe(90)
    expect(await conversation()).toMatchObject({ status: 'COMPLETED' })
  })

  test('that dies in its transaction leaves nothing behind, and the next try stores everything once', async () => {
    const { run, scope, conversation, results, total } = await world(LONG)
    const dying = { ...scope, jobs: { enqueue: () => Promise.reject(new Error('killed')) } }
    await expect(run(0, dying)).rejects.toThrow('killed')
    expect([await total(), await results(), (await conversation())?.nextTurn]).toEqual([0, [], 0])
    await run(0)
    await run(40)
    await run(80)
    expect(await total()).toBe(90)
    expect(await results()).toHaveLength(90)
  })

  test('keeps facts in transactions of a bounded size, and one that dies between them loses and doubles none', async () => {
    const { scope, tenant, id, enqueued, conversation, results, total } = await world(['one', 'two', 'three'])
    const facts = [3, 7, 1].flatMap((count, turn) =>
      Array.from({ length: count }, (_, n) => ({ turn, text: `Locker ${n} of hall ${turn} is mine.` })),
    )
    const sizes: number[] = []
    const keep = async (turn: number, with_: ConversationsScope = scope) => {
      const { workspaceId } = tenant
      const taken = await tenant.transaction(async tx => ({
        standing: await claimForReading(tx, workspaceId, id, turn),
        turns: await findTurns(tx, workspaceId, id, turn, { turnsMax: 40, charactersMax: 1000 }),
      }))
      if (!taken.standing) throw new Error('it stands elsewhere')
      const before = await total()
      const left = { facts: facts.filter(fact => fact.turn >= turn), extractedBy: ['local'], isProvisional: false }
      await keepFacts(with_, tenant, taken.standing, taken.turns, left, 4)
      sizes.push((await total()) - before)
    }
    await keep(0)
    expect(await conversation()).toMatchObject({ nextTurn: 1, keptFacts: 0 })
    const dying = { ...scope, jobs: { enqueue: () => Promise.reject(new Error('killed')) } }
    await expect(keep(1, dying)).rejects.toThrow('killed')
    expect([await total(), await conversation()]).toMatchObject([7, { nextTurn: 1, keptFacts: 4 }])
    await keep(1)
    expect(await conversation()).toMatchObject({ nextTurn: 2, keptFacts: 0 })
    await keep(2)
    expect([sizes, enqueued.length, await total()]).toEqual([[3, 3, 1], 2, 11])
    expect([(await conversation())?.status, new Set(await results()).size]).toEqual(['COMPLETED', 11])
  })

  describe('whose turn has more facts than one transaction keeps', () => {
    const facts = Array.from({ length: 6 }, (_, n) => ({ turn: 0, text: `Locker ${n} is mine.` }))

    async function reading(
      given: typeof facts,
      meddle: (kept: () => Promise<string[]>, tenant: Tenant) => Promise<void>,
    ) {
      const made = await world(['one'])
      const { scope, tenant, id, results } = made
      const kept = async () => (await results()).map(({ memoryId }) => memoryId)
      const writer = scope.wiring.use(memoryWriter)
      const prepare: typeof writer.prepare = async (...args) => {
        if ((await kept()).length > 0) await meddle(kept, tenant)
        return writer.prepare(...args)
      }
      const wiring = new Switchboard()
      wiring.bind('memories', bind(memoryWriter, { ...writer, prepare }))
      wiring.bind('memories', bind(memoryReader, scope.wiring.use(memoryReader)))
      const read = async (found: typeof facts, with_: ConversationsScope) => {
        const standing = await tenant.transaction(tx => claimForReading(tx, tenant.workspaceId, id, 0))
        const turns = await tenant.transaction(tx =>
          findTurns(tx, tenant.workspaceId, id, 0, { turnsMax: 40, charactersMax: 1000 }),
        )
        if (standing)
          await keepFacts(
            with_,
            tenant,
            standing,
            turns,
            { facts: found, extractedBy: ['local'], isProvisional: false },
            4,
          )
      }
      const first = read(given, { ...scope, wiring })
      return { ...made, first, again: (found: typeof facts) => read(found, scope) }
    }

    test('loses none when it breaks off and the next reading finds others', async () => {
      const { first, again, conversation, total, results } = await reading(facts, () =>
        Promise.reject(new Error('busy')),
      )
      await expect(first).rejects.toThrow('busy')
      expect([await total(), (await conversation())?.status]).toEqual([4, 'PROCESSING'])
      await again([{ turn: 0, text: 'My bike is blue.' }, ...facts.slice(3)])
      expect([await total(), (await results()).length]).toEqual([7, 7])
      expect(await conversation()).toMatchObject({ status: 'COMPLETED', nextTurn: 1 })
    })

    test('is COMPLETED though one of them is deleted meanwhile', async () => {
      const { first, conversation, results } = await reading(facts, async (kept, tenant) => {
        const [one = ''] = await kept()
        await tenant.transaction(tx => forgetMemories(tx, tenant.workspaceId, [one]))
      })
      await first
      expect([(await conversation())?.status, (await results()).length]).toEqual(['COMPLETED', 5])
    })
  })

  test('that fails for good says why; handed in again, it is tried again', async () => {
    const { fail, conversation, messagesKept, client, given } = await world(['I live in Ghent.'])
    await fail(0, Object.assign(new Error('insert of I live in Ghent.'), { name: 'PostgresError' }))
    const failed = await conversation()
    expect(failed).toMatchObject({ status: 'FAILED' })
    expect(failed?.error).toBe('Reading the conversation failed after 5 attempts: the result could not be stored')
    const messages = given.messages.map(({ role, content }) => ({ role, content }))
    const again = await handIn(client, messages, { user_id: 'ada' })
    expect(again).toMatchObject({ id: failed?.id ?? '', status: 'COMPLETED', memories_created: 1, error: null })
    expect(await messagesKept()).toBe(0)
  })

  test('that meets a full plan fails with the reason, and what was stored stays listed', async () => {
    const { run, conversation, results, total, messagesKept } = await world(LONG, { memoryQuota: 55 })
    await run(0)
    await run(40)
    const failed = await conversation()
    expect(failed).toMatchObject({ status: 'FAILED' })
    expect(failed?.error).toContain("plan's 55 memories are used up")
    expect([await total(), (await results()).length, await messagesKept()]).toEqual([55, 55, 90])
    expect(failed?.nextTurn).toBe(40)
  })

  test('that was lost is queued again, in the place of its waiting', async () => {
    const { tenant, scope, enqueued, id, run } = await world(LONG, { idle: true })
    await run(0)
    enqueued.length = 0
    const quiet = new Date(Date.now() - 901_000)
    const requeue = () => requeueTask.run({ payload: {}, scope, signal: new AbortController().signal } as never)
    await requeue()
    await tenant.transaction(
      tx => tx`update conversations.conversation set progress_at = ${quiet} where conversation.id = ${id}`,
    )
    await requeue()
    await requeue()
    const own = enqueued.filter(job => job.payload.conversation_id === id)
    expect(own).toMatchObject([{ payload: { turn: 40 }, runAt: quiet, key: `conversations:extract:${id}` }])
    // Its progress may have been noted before the clock was put back.
    enqueued.length = 0
    await tenant.transaction(
      tx =>
        tx`update conversations.conversation set progress_at = now() + interval '1 day' where conversation.id = ${id}`,
    )
    await requeue()
    const waits = enqueued
      .filter(job => job.payload.conversation_id === id)
      .map(({ runAt }) => Number(runAt) - Date.now())
    expect(waits.map(ms => ms < 60_000)).toEqual([true])
  })
})

test('a conversation without memories is forgotten after 30 days, one with memories is not', async () => {
  const empty = await world(['Thanks!'])
  const { run, tenant, scope, id, conversation } = empty
  const kept = await world(['I live in Ghent.'])
  await run(0)
  await kept.run(0)
  const forget = ({ tenant: { workspaceId } }: typeof kept) =>
    purge(scope.database, retentionsOf(conversationsPlugin), workspaceId)
  const age = (days: number) => (tx: Tx) =>
    tx`update conversations.conversation set updated_at = now() - make_interval(days => ${days})`
  await tenant.transaction(age(29))
  await forget(empty)
  expect((await conversation())?.id).toBe(id)
  await tenant.transaction(age(31))
  await kept.tenant.transaction(age(31))
  await forget(empty)
  await forget(kept)
  expect(await conversation()).toBeUndefined()
  expect((await kept.conversation())?.status).toBe('COMPLETED')
})
