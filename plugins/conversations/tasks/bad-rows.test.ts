import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Tx } from 'mneme/plugin'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { hashOf } from '../input.ts'
import { jobWorld } from '../job-world.test-support.ts'
import { insertConversation, insertMessages } from '../queries/store.ts'
import { readAgainTask } from './read-again.ts'
import { requeueTask } from './requeue.ts'

const { signal } = new AbortController()

/** Three conversations, two of one workspace. */
async function world() {
  const worlds = [await jobWorld(['I live in Ghent.'], { idle: true }), await jobWorld(['I am Bo.'], { idle: true })]
  const [first, second] = worlds
  if (!(first && second)) throw new Error('there are two')
  const { tenant, given, scope } = first
  const third = randomUUID()
  const messages = [{ role: 'user' as const, content: 'I play the oboe.', saidAt: null }]
  await tenant.transaction(async tx => {
    const other = { ...given, messages }
    const made = await insertConversation(tx, tenant.workspaceId, third, hashOf(other), other)
    if (made) await insertMessages(tx, tenant.workspaceId, made, messages)
  })
  const inEach = async (work: (tx: Tx, workspaceId: string) => Promise<unknown>) => {
    for (const { tenant: each } of worlds) await each.transaction(tx => work(tx, each.workspaceId))
  }
  const own: readonly string[] = [first.id, second.id, third]
  return {
    scope,
    workspaceId: tenant.workspaceId,
    bad: first.id,
    others: [second.id, third],
    inEach,
    /** Lists those of them for which a job was added. */
    queued: () => first.enqueued.map(({ payload }) => String(payload.conversation_id)).filter(id => own.includes(id)),
    async ids(find: (tx: Tx, workspaceId: string) => Promise<readonly { readonly id: string }[]>): Promise<string[]> {
      const found: string[] = []
      await inEach(async (tx, id) => void found.push(...(await find(tx, id)).map(row => row.id)))
      return found
    },
  }
}

test('conversations:requeue queues all conversations without progress but one that cannot be written', async () => {
  const { scope, workspaceId, bad, others, inEach, ids, queued } = await world()
  await inEach(
    (tx, id) => tx`
      update conversations.conversation set progress_at = now() - interval '1 hour' where workspace_id = ${id}`,
  )
  await expectOneHeldBack({
    ...{ database: scope.database, sweep: 'conversations:requeue', workspaceId, bad, others },
    ...{ table: 'conversations.conversation', event: 'update', where: { id: bad } },
    run: () => requeueTask.run({ payload: {}, scope, signal } as never),
    done: () =>
      ids(
        (tx, id) => tx<{ id: string }[]>`
          select conversation.id
          from conversations.conversation
          where conversation.workspace_id = ${id} and conversation.progress_at > now() - interval '1 minute'`,
      ),
  })
  expect(queued().toSorted()).toEqual([bad, ...others].toSorted())
})

test('conversations:read-again begins all conversations whose time has come but one that cannot be written', async () => {
  const { scope, workspaceId, bad, others, inEach, ids, queued } = await world()
  await inEach(
    (tx, id) => tx`
      update conversations.conversation
      set status = 'COMPLETED', provisional_turn = 0, provisional_end = 1, again_at = now() - interval '1 second'
      where workspace_id = ${id}`,
  )
  const language = { ...scope.language, available: () => true }
  await expectOneHeldBack({
    ...{ database: scope.database, sweep: 'conversations:read-again', workspaceId, bad, others },
    ...{ table: 'conversations.conversation', event: 'update', where: { id: bad } },
    run: () => readAgainTask.run({ payload: {}, scope: { ...scope, language }, signal } as never),
    done: () =>
      ids(
        (tx, id) => tx<{ id: string }[]>`
          select conversation.id
          from conversations.conversation
          where conversation.workspace_id = ${id} and conversation.status = 'PROCESSING'`,
      ),
  })
  expect(queued().toSorted()).toEqual([bad, ...others].toSorted())
})
