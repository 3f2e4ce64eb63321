import { expect, test } from 'bun:test'
import { idleService, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { forgetMemories } from '../queries/upkeep.ts'
import { dispatching, newest, remember, startedWith, TAKEN } from './dispatching.test-support.ts'
import type { AttemptResult } from './send.ts'

/** Takes a memory's text out of what is kept, as its deletion does, and calls `meanwhile` before that is committed. */
async function forget({ workspaceId }: TestAccount, memoryId: string, meanwhile = () => {}) {
  const { database } = await idleService()
  await database.workspace(workspaceId, async tx => {
    await forgetMemories(tx, workspaceId, `{${memoryId}}`)
    meanwhile()
  })
}

test('a response that came after the deletion of its memory is not kept: it may repeat the text', async () => {
  const { account, webhook } = await startedWith(['memory.created', 'memory.deleted'])
  const { sent, world, dispatcher, run } = await dispatching()
  const { promise, resolve } = Promise.withResolvers<AttemptResult>()
  world.answer = () => promise
  const { id } = (await remember(account, 'The key is below the mat.')).body
  dispatcher.wake(account.workspaceId)
  await until('it is under way', async () => sent.length === 1)
  await forget(account, id, () => resolve({ ...TAKEN, responseBody: sent[0]?.body ?? '' }))
  await dispatcher.idle()
  expect(await newest(account, webhook.id)).toMatchObject({
    status: 'SUCCEEDED',
    response_code: 200,
    response_body: null,
  })
  // Events without a text have their responses kept.
  world.answer = () => TAKEN
  await account.client.delete(`/v1/memories/${id}`)
  await run(account)
  expect(await newest(account, webhook.id)).toMatchObject({ event: 'memory.deleted', response_body: 'ok' })
})

test('what was claimed before the deletion of its memory is sent without the text a second after it', async () => {
  const { account } = await startedWith()
  const first = await dispatching()
  first.world.answer = () => TAKEN
  await remember(account, 'The first is taken.')
  await first.run(account)
  // A process that knows of a success claims more than it may send at once.
  const { sent, world, clock, dispatcher } = await dispatching()
  const gates: ((result: AttemptResult) => void)[] = []
  world.answer = () => new Promise(resolve => void gates.push(resolve))
  const memories = Array.from({ length: 12 }, (_, n) => ({ memory: `The lock ${n} is open.` }))
  const { results } = (await account.client.post('/v1/memories/batch', { memories })).body
  dispatcher.wake(account.workspaceId)
  await until('four are under way', async () => gates.length === 4)
  for (const n of [10, 11]) await forget(account, results[n].memory.id)
  clock.advance(1000)
  world.answer = () => TAKEN
  for (const answer of gates) answer(TAKEN)
  await dispatcher.idle()
  const told = sent.map(({ body }) => JSON.parse(body).data.memory)
  expect(told.filter(text => text === null)).toHaveLength(2)
  expect(told.filter(Boolean).toSorted()).toEqual(memories.slice(0, 10).map(({ memory }) => memory))
})
