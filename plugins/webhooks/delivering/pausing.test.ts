import { expect, test } from 'bun:test'
import { idleService, type TestAccount } from '../../../test/support/service.ts'
import { FAILING_ALERT_MS } from '../contract.ts'
import { takeUntold } from '../queries/health.ts'
import { expireRounds } from '../queries/upkeep.ts'
import { deliveriesIn, PATH } from '../world.test-support.ts'
import { dispatching, gist, remember, startedWith, TAKEN } from './dispatching.test-support.ts'

const { database } = await idleService()

/** A webhook that was paused while two deliveries waited: one that is too old once it is resumed, and one that is not. */
async function resumed() {
  const { account, webhook } = await startedWith()
  const { client, workspaceId } = account
  const path = `${PATH}/${webhook.id}`
  await remember(account, 'The hay is wet.')
  const [old] = await deliveriesIn(client, webhook.id, 'PENDING')
  await client.request('PATCH', path, { body: { active: false } })
  await age(account, 30)
  await client.request('PATCH', path, { body: { active: true } })
  await remember(account, 'The hay is dry.')
  await client.request('PATCH', path, { body: { active: false } })
  await age(account, 0.5)
  await client.request('PATCH', path, { body: { active: true } })
  return { account, webhook, path: `${path}/deliveries/${old?.id}/redeliver`, expire: () => expireOf(workspaceId) }
}

/** Lets time pass for what waits in a workspace. */
const age = ({ workspaceId }: TestAccount, hours: number) =>
  database.workspace(
    workspaceId,
    tx => tx`
      update webhooks.delivery
      set round_started_at = round_started_at - ${hours} * interval '1 hour',
        due_at = due_at - ${hours} * interval '1 hour',
        created_at = created_at - ${hours} * interval '1 hour'
      where workspace_id = ${workspaceId}`,
  )

const expireOf = (workspaceId: string) => database.workspace(workspaceId, tx => expireRounds(tx, workspaceId, true))

test('a resumed webhook fails no longer, until an attempt says so', async () => {
  const { account, webhook } = await startedWith()
  const { client, workspaceId } = account
  const path = `${PATH}/${webhook.id}`
  await database.workspace(
    workspaceId,
    tx => tx`
      update webhooks.webhook set failing_since = now() - interval '80 hours'
      where workspace_id = ${workspaceId} and id = ${webhook.id}`,
  )
  await client.request('PATCH', path, { body: { active: false } })
  expect((await client.get(path)).body.failing_since).not.toBeNull()
  await client.request('PATCH', path, { body: { active: true } })
  expect((await client.get(path)).body.failing_since).toBeNull()
  const { run, told } = await dispatching()
  await remember(account, 'The barley is cut.')
  await run(account)
  const untold = await database.workspace(workspaceId, tx =>
    takeUntold(tx, workspaceId, new Date(Date.now() - FAILING_ALERT_MS), new Date()),
  )
  expect([told, [...untold]]).toEqual([[], []])
  expect((await client.get(path)).body.failing_since).not.toBeNull()
})

test.each<[string, { url?: string }, string[]]>([
  ['is told of as working by its first success, and once', {}, ['webhook.recovered']],
  ['is another receiver where its URL is another one', { url: 'http://93.184.216.34/other' }, []],
])('a resumed webhook whose failure was told %s', async (_, change, kinds) => {
  const { account, webhook } = await startedWith()
  const { client, workspaceId } = account
  await database.workspace(
    workspaceId,
    tx => tx`
      update webhooks.webhook
      set failing_since = now() - interval '80 hours', alerted_at = now() - interval '8 hours', last_success_at = now()
      where workspace_id = ${workspaceId} and id = ${webhook.id}`,
  )
  await client.request('PATCH', `${PATH}/${webhook.id}`, { body: { active: false } })
  await client.request('PATCH', `${PATH}/${webhook.id}`, { body: { active: true, ...change } })
  const { world, run, told } = await dispatching()
  world.answer = () => TAKEN
  for (const memory of ['The rye is sown.', 'The rye is up.']) {
    await remember(account, memory)
    await run(account)
  }
  expect(told.map(({ kind, subjectId }) => [kind, subjectId])).toEqual(kinds.map(kind => [kind, webhook.id]))
})

test('what waited longer than 24 hours for a paused webhook is not sent when it is resumed, and ends as FAILED', async () => {
  const { account, webhook, expire } = await resumed()
  const { sent, world, run } = await dispatching()
  world.answer = () => TAKEN
  await run(account)
  expect(sent.map(gist)).toEqual(['memory.created The hay is dry.'])
  expect([await expire(), await expire()]).toEqual([1, 0])
  const [failed] = await deliveriesIn(account.client, webhook.id, 'FAILED')
  expect(failed).toMatchObject({ attempts: 0, error: 'It could not be attempted within 24 hours.' })
})

test('but somebody who asks for it has it sent, before or after that', async () => {
  for (const expires of [false, true]) {
    const { account, path, expire } = await resumed()
    const { sent, world, run } = await dispatching()
    world.answer = () => TAKEN
    if (expires) expect(await expire()).toBe(1)
    expect((await account.client.post(path)).status).toBe(202)
    await run(account)
    expect(sent.map(gist).toSorted()).toEqual(['memory.created The hay is dry.', 'memory.created The hay is wet.'])
    expect(await expire()).toBe(0)
  }
})

test('one whose round was tried and had its 24 hours begins another when somebody asks for it', async () => {
  const { account, webhook } = await startedWith()
  const { sent, world, run, clock } = await dispatching()
  await remember(account, 'The oats are ripe.')
  await run(account)
  await age(account, 30)
  const [late] = await deliveriesIn(account.client, webhook.id, 'PENDING')
  const { body } = await account.client.post(`${PATH}/${webhook.id}/deliveries/${late?.id}/redeliver`)
  expect(body).toMatchObject({ status: 'PENDING', attempts: 0 })
  world.answer = () => TAKEN
  clock.advance(1000)
  await run(account)
  expect(sent).toHaveLength(2)
})
