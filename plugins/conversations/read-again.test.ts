import { describe, expect, test } from 'bun:test'
import { LanguageModelUnavailableError } from 'mneme/plugin'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { until } from '../../test/support/wait.ts'
import { removeUnfinished } from './clear-unfinished.ts'
import { conversationsPlugin } from './index.ts'
import { jobWorld, LONG } from './job-world.test-support.ts'
import { forgetMemories } from './queries/forget-memories.ts'
import { countKept } from './queries/store.ts'
import type { ConversationsScope } from './scope.ts'
import { readAgainTask } from './tasks/read-again.ts'
import { PATH } from './world.test-support.ts'

interface Answer {
  readonly turn: number
  readonly quote: string
  readonly fact: string
}

/** A conversation on a workspace with a language model that a test takes away and brings back. */
async function world(texts: readonly string[], answers: readonly Answer[] = []) {
  const made = await jobWorld(texts)
  const { run, scope, tenant, client, id, enqueued, results } = made
  const model = { isAway: true, asked: 0, meanwhile: async () => {} }
  const language = {
    modelId: 'far',
    available: () => !model.isAway,
    generate: async () => {
      if (model.isAway) throw new LanguageModelUnavailableError('away', { retryAfterMs: 600_000 })
      model.asked++
      await model.meanwhile()
      return { value: { facts: answers }, usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 } }
    },
  } as unknown as ConversationsScope['language']
  const sweep = () =>
    readAgainTask.run({ payload: {}, scope: { ...scope, language }, signal: new AbortController().signal } as never)
  return {
    ...made,
    model,
    sweep,
    read: (turn: number) => run(turn, { ...scope, language }),
    /** Brings the model back when it is time to read again. */
    comesBack: async () => {
      await tenant.transaction(
        tx => tx`
          update conversations.conversation
          set again_at = now() - interval '1 second'
          where conversation.id = ${id} and conversation.again_at is not null`,
      )
      model.isAway = false
      await sweep()
    },
    own: () => enqueued.filter(({ payload }) => payload.conversation_id === id),
    stored: async () => {
      const memories = (await results()).map(({ memoryId }) => client.get(`/v1/memories/${memoryId}`))
      return (await Promise.all(memories)).map(({ body }) => body.memory)
    },
  }
}

describe('a conversation that was read while the model was away', () => {
  test('is read by it when it is back, but for what was edited since', async () => {
    const texts = ['I live in Ghent.', 'My cat is called Pixel.', 'And so does Ana.']
    const { read, client, id, conversation, results, messagesKept, own, stored, sweep, comesBack } = await world(
      texts,
      [
        { turn: 0, quote: 'I live in Ghent.', fact: 'I live in Ghent now.' },
        { turn: 1, quote: 'My cat is called Pixel.', fact: 'Pixel is my cat.' },
        { turn: 2, quote: 'so does Ana', fact: 'Ana lives in Ghent.' },
      ],
    )
    await read(0)
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', extractedBy: ['local'] })
    expect([await stored(), await messagesKept()]).toEqual([texts.slice(0, 2), 3])
    const [, cat] = await results()
    await client.put(`/v1/memories/${cat?.memoryId}`, { memory: 'My cat is called Dot.' })
    await sweep()
    expect(own()).toEqual([])
    await comesBack()
    await sweep()
    expect(own()).toMatchObject([{ payload: { turn: 0 } }])
    expect((await client.get(`${PATH}/${id}`)).body).toMatchObject({ status: 'COMPLETED', memories_created: 2 })
    await read(0)
    expect(await stored()).toEqual([
      'I live in Ghent.',
      'I live in Ghent now.',
      'My cat is called Dot.',
      'Ana lives in Ghent.',
    ])
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', extractedBy: ['far', 'local'], againEnd: null })
    expect(await messagesKept()).toBe(0)
  })

  test('is not read again once a memory of it is deleted: another turn may say the same', async () => {
    const texts = ['I live in Ghent.', 'My cat is called Pixel.', 'As I said, I live in Ghent.']
    const { read, client, results, conversation, messagesKept, own, comesBack } = await world(texts)
    await read(0)
    const [ghent] = await results()
    const before = (await results()).length
    await client.delete(`/v1/memories/${ghent?.memoryId}`)
    await until('it is forgotten', async () => (await results()).length < before)
    expect(await messagesKept()).toBe(0)
    await comesBack()
    expect(own()).toEqual([])
    expect((await conversation())?.status).toBe('COMPLETED')
  })

  test('counts no more towards what waits to be read once a memory of it is deleted, before it is read again or meanwhile', async () => {
    for (const isBeingRead of [false, true]) {
      const { read, tenant, results, comesBack } = await world(['I live in Ghent.', 'My cat is called Pixel.'])
      const { workspaceId, transaction } = tenant
      await read(0)
      if (isBeingRead) await comesBack()
      const kept = () => transaction(tx => countKept(tx, workspaceId))
      expect((await kept()).conversations).toBe(1)
      const [ghent] = await results()
      await transaction(tx => forgetMemories(tx, workspaceId, [ghent?.memoryId ?? '']))
      expect(await kept()).toEqual({ conversations: 0, characters: 0 })
    }
  })

  test('stores nothing more when a memory of it is deleted while the model reads', async () => {
    const { read, model, tenant, results, conversation, messagesKept, stored, comesBack } = await world(
      ['I live in Ghent.', 'My cat is called Pixel.', 'As I said, Ghent is where I live.'],
      [{ turn: 2, quote: 'Ghent is where I live.', fact: 'I live in Ghent.' }],
    )
    await read(0)
    const [ghent] = await results()
    await comesBack()
    model.meanwhile = () => tenant.transaction(tx => forgetMemories(tx, tenant.workspaceId, [ghent?.memoryId ?? '']))
    const before = await stored()
    await read(0)
    expect(await stored()).toEqual(before.slice(1))
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', againEnd: null })
    expect(await messagesKept()).toBe(0)
  })

  test('keeps what is edited while the model reads', async () => {
    const { read, model, client, results, stored, comesBack } = await world(
      ['I live in Ghent.', 'My cat is called Pixel.'],
      [
        { turn: 0, quote: 'I live in Ghent.', fact: 'I live in Ghent now.' },
        { turn: 1, quote: 'My cat is called Pixel.', fact: 'Pixel is my cat.' },
      ],
    )
    await read(0)
    const [ghent] = await results()
    await comesBack()
    model.meanwhile = async () => {
      await client.put(`/v1/memories/${ghent?.memoryId}`, { memory: 'I live in Porto.' })
    }
    await read(0)
    expect((await stored()).toSorted()).toEqual(['I live in Porto.', 'My cat is called Pixel.', 'Pixel is my cat.'])
  })

  test('keeps words that depend on the day once, however late it is read again', async () => {
    const text = 'I have a dentist appointment tomorrow.'
    const { read, tenant, id, stored, comesBack } = await world([text], [{ turn: 0, quote: text, fact: text }])
    await tenant.transaction(
      tx => tx`
        update conversations.message
        set said_at = now() + interval '9 hours'
        where message.conversation_id = ${id}`,
    )
    await read(0)
    await tenant.transaction(
      tx => tx`
        update memories.memory
        set created_at = memory.created_at - interval '6 hours'
        where memory.workspace_id = ${tenant.workspaceId}`,
    )
    await comesBack()
    await read(0)
    expect(await stored()).toEqual([text])
  })

  test('is read by it also where it said what a memory held since an edit, but for what was edited after it', async () => {
    const { read, client, results, stored, comesBack } = await world(
      ['My cat is called Pixel.', 'I live in Ghent.'],
      [
        { turn: 0, quote: 'My cat is called Pixel.', fact: 'Pixel is my cat.' },
        { turn: 1, quote: 'I live in Ghent.', fact: 'I live in Ghent now.' },
      ],
    )
    const edited = async (before: string, after: string) => {
      const { body } = await client.post('/v1/memories', { memory: before, user_id: 'ada' })
      await client.put(`/v1/memories/${body.id}`, { memory: after })
    }
    await edited('My cat is called Dot.', 'My cat is called Pixel.')
    await edited('I live in Lisbon.', 'I live in Ghent.')
    await read(0)
    const [, ghent] = await results()
    await client.put(`/v1/memories/${ghent?.memoryId}`, { memory: 'I live in Porto.' })
    await comesBack()
    await read(0)
    expect((await stored()).toSorted()).toEqual(['I live in Porto.', 'My cat is called Pixel.', 'Pixel is my cat.'])
  })

  test('is known by its messages for a day from the first reading, not from the second', async () => {
    const { read, tenant, id, given, client, conversation, comesBack } = await world(['I live in Ghent.'])
    await read(0)
    await tenant.transaction(
      tx => tx`
        update conversations.conversation
        set created_at = created_at - interval '25 hours', updated_at = updated_at - interval '25 hours'
        where conversation.id = ${id}`,
    )
    const first = await conversation()
    await comesBack()
    await read(0)
    expect(await conversation()).toMatchObject({ extractedBy: ['far', 'local'], updatedAt: first?.updatedAt })
    const messages = given.messages.map(({ role, content }) => ({ role, content }))
    expect((await client.post(PATH, { messages, user_id: 'ada' })).body.id).not.toBe(id)
  })

  test('is read again only there: turns that the model has read are not read twice', async () => {
    const { read, model, conversation, messagesKept, own, comesBack } = await world(LONG)
    model.isAway = false
    await read(0)
    model.isAway = true
    await read(40)
    model.isAway = false
    await read(80)
    expect([model.asked, (await conversation())?.status, await messagesKept()]).toEqual([2, 'COMPLETED', 90])
    const jobs = own().length
    await comesBack()
    expect(own().slice(jobs)).toMatchObject([{ payload: { turn: 40 } }])
    await read(40)
    expect(own()).toHaveLength(jobs + 1)
    expect([model.asked, await messagesKept()]).toEqual([3, 0])
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', nextTurn: 80, againEnd: null })
  })

  test('goes when all memories of its user are deleted; one that was read by the model stays', async () => {
    const { read, tenant, conversation, messagesKept } = await world(['I live in Ghent.'])
    const later = await world(['I live in Ghent.'])
    const clear = ({ tenant }: Pick<typeof later, 'tenant'>) =>
      tenant.transaction(tx =>
        removeUnfinished(tx, tenant.workspaceId, { userId: 'ada', agentId: undefined, sessionId: undefined }),
      )
    await read(0)
    await clear({ tenant })
    expect([await conversation(), await messagesKept()]).toEqual([undefined, 0])
    await later.read(0)
    await later.comesBack()
    await later.read(0)
    await clear(later)
    expect((await later.conversation())?.status).toBe('COMPLETED')
  })

  test('keeps its messages for seven days from when it was submitted; without them it is not read again', async () => {
    const { read, tenant, scope, id, conversation, messagesKept, own, comesBack } = await world(['I live in Ghent.'])
    await read(0)
    const age = (days: number) =>
      tenant.transaction(async tx => {
        await tx`update conversations.message set said_at = '2020-01-01' where message.conversation_id = ${id}`
        await tx`
          update conversations.conversation
          set created_at = now() - make_interval(days => ${days})
          where conversation.id = ${id}`
      })
    const forget = () => purge(scope.database, retentionsOf(conversationsPlugin), tenant.workspaceId)
    await age(6)
    await forget()
    expect(await messagesKept()).toBe(1)
    await age(8)
    await forget()
    expect(await messagesKept()).toBe(0)
    await comesBack()
    expect(own()).toEqual([])
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', againEnd: null })
  })

  test('stays COMPLETED when the second reading fails', async () => {
    const { read, fail, conversation, messagesKept, comesBack } = await world(['I live in Ghent.'])
    await read(0)
    await comesBack()
    await fail(0, new Error('no'))
    expect(await conversation()).toMatchObject({ status: 'COMPLETED', againEnd: null, error: null })
    expect(await messagesKept()).toBe(0)
  })
})
