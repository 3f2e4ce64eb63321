import { describe, expect, test } from 'bun:test'
import { bind, fail as failure, LanguageModelUnavailableError } from 'mneme/plugin'
import { Snooze } from '../../core/jobs/task.ts'
import { Switchboard } from '../../core/ports.ts'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { until } from '../../test/support/wait.ts'
import { memoryWriter } from '../memories/contract.ts'
import { conversationsPlugin } from './index.ts'
import { LONG, jobWorld as world } from './job-world.test-support.ts'
import type { ConversationsScope } from './scope.ts'
import { PATH, settled } from './world.test-support.ts'

describe('a conversation', () => {
  test('that fails for good goes on where it was when it is tried again by its id, for seven days', async () => {
    const { run, fail, conversation, messagesKept, client, id, tenant, scope, total } = await world(LONG)
    const reprocess = () => client.post(`${PATH}/${id}/reprocess`)
    await run(0)
    expect((await reprocess()).body.status).toBe('PROCESSING')
    await fail(40, new Error('no'))
    expect([(await conversation())?.status, await messagesKept()]).toEqual(['FAILED', 90])
    const answer = await reprocess()
    expect([answer.status, answer.body.status, answer.body.memories]).toEqual([202, 'PENDING', null])
    expect(await settled(client, id)).toMatchObject({ status: 'COMPLETED', memories_created: 90, memories_known: 0 })
    expect([await total(), await messagesKept()]).toEqual([90, 0])
    const other = await world(['I live in Ghent.'])
    await other.fail(0, new Error('no'))
    await other.tenant.transaction(
      tx => tx`
        update conversations.conversation
        set updated_at = now() - interval '8 days'
        where conversation.id = ${other.id}`,
    )
    await other.tenant.transaction(
      tx => tx`update conversations.message set said_at = '2020-01-01' where message.conversation_id = ${other.id}`,
    )
    await purge(scope.database, retentionsOf(conversationsPlugin), tenant.workspaceId)
    await purge(scope.database, retentionsOf(conversationsPlugin), other.tenant.workspaceId)
    const late = await other.client.post(`${PATH}/${other.id}/reprocess`)
    expect([late.status, late.body.error_code]).toEqual([410, 'CONVERSATION_NOT_KEPT'])
  })

  test('that failed goes with its last memory, and with it what was said', async () => {
    const { run, conversation, results, messagesKept, client } = await world(LONG, { memoryQuota: 1 })
    await run(0)
    const [only] = await results()
    expect([(await conversation())?.status, await messagesKept()]).toEqual(['FAILED', 90])
    await client.delete(`/v1/memories/${only?.memoryId}`)
    await until('it is gone', async () => (await conversation()) === undefined)
    expect(await messagesKept()).toBe(0)
  })

  test('waits for a database or a plugin that is away, a day long, and uses up no attempt', async () => {
    const { run, scope, conversation, total } = await world(['I live in Ghent.'])
    const away = new Switchboard()
    const failing = { prepare: () => Promise.reject(failure('SERVICE_UNAVAILABLE')) } as never
    away.bind('memories', bind(memoryWriter, failing))
    const waits = async (ms: number) => {
      const result = await run(0, { ...scope, wiring: away }, new Date(Date.now() - ms))
      return result instanceof Snooze ? result.inMs : result
    }
    expect(await waits(0)).toBe(30_000)
    expect(await waits(120_000)).toBeWithin(119_000, 140_000)
    expect(await waits(20 * 3_600_000)).toBe(600_000)
    await expect(waits(25 * 3_600_000)).rejects.toThrow('temporarily unavailable')
    expect((await conversation())?.status).toBe('PROCESSING')
    await run(0)
    expect([(await conversation())?.status, await total()]).toEqual(['COMPLETED', 1])
  })

  test('waits two minutes for a language model that is away, in each window, and then reads without it', async () => {
    const { run, tenant, scope, id, conversation } = await world(LONG)
    const refuse = (retryAfterMs?: number): ConversationsScope['language'] => ({
      modelId: 'far',
      available: () => false,
      generate: () => Promise.reject(new LanguageModelUnavailableError('away', { retryAfterMs })),
    })
    const waits = async (turn: number, retryAfterMs?: number, waitedMs?: number) => {
      const since = waitedMs === undefined ? undefined : new Date(Date.now() - waitedMs)
      const result = await run(turn, { ...scope, language: refuse(retryAfterMs) }, since)
      return result instanceof Snooze ? result.inMs : result
    }
    expect(await waits(0, 100_000)).toBe(100_000)
    expect(await waits(0)).toBe(15_000)
    expect((await conversation())?.status).toBe('PROCESSING')
    expect(await waits(0, 100_000, 60_000)).toBeUndefined()
    expect(await conversation()).toMatchObject({ nextTurn: 40, extractedBy: ['local'] })
    await tenant.transaction(
      tx => tx`
        update conversations.conversation
        set updated_at = now() - interval '1 hour'
        where conversation.id = ${id}`,
    )
    expect(await waits(40, 100_000)).toBe(100_000)
  })
})
