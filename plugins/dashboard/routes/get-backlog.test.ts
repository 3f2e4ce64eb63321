import { expect, test } from 'bun:test'
import { backlogOf, backlogSources, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { idleService, startService } from '../../../test/support/service.ts'
import { world } from '../world.test-support.ts'

const empty = { waiting: 0, failed: 0, oldest_at: null }

test('nothing waits in a new workspace, and each kind is there', async () => {
  const { get } = await world()
  expect(await get('backlog')).toEqual({
    memories: empty,
    graph: empty,
    knowledge: empty,
    imports: empty,
    deliveries: empty,
    exports: empty,
    conversations: empty,
  })
})

test('counts all that waits and failed, since when, and of this workspace alone', async () => {
  const { account: accountOf } = await idleService()
  const other = await accountOf()
  await other.client.post('/v1/memories', { memory: 'Somebody else waits too.' })
  const { client, database, workspaceId, get } = await world()
  await client.post('/v1/webhooks', { url: 'https://93.184.216.34/hook', events: ['memory.created'] })
  const before = new Date().toISOString()
  for (const part of [0, 1]) {
    const memories = Array.from({ length: 60 }, (_, n) => ({ memory: `Box ${part} ${n} stands in the cellar.` }))
    await client.post('/v1/memories/batch', { memories })
  }
  await client.post('/v1/exports', { format: 'JSONL' })
  const form = new FormData()
  form.append('file', new File(['Ada keeps bees.'], 'bees.txt'))
  await client.request('POST', '/v1/memories/ingest', { raw: form })
  const lines = new FormData()
  lines.append('file', new File([JSON.stringify({ text: 'Ada keeps hens.' })], 'hens.jsonl'))
  await client.request('POST', '/v1/imports', { raw: lines })
  await client.post('/v1/memories/conversations', { messages: [{ role: 'user', content: 'I keep geese.' }] })
  await database.system(async tx => {
    await tx`
      update memories.memory set status = 'FAILED'
      where workspace_id = ${workspaceId} and text like 'Box 1 5%'`
    await tx`
      insert into graph.reading (workspace_id, memory_id, user_id, revision, text_hash, categories, stated_at, due_at, error, extracted_by)
      values
        (${workspaceId}, gen_random_uuid(), 'ada', 1, '', '{}', now(), now(), null, null),
        (${workspaceId}, gen_random_uuid(), 'ada', 1, '', '{}', now(), null, 'it is broken', null),
        (${workspaceId}, gen_random_uuid(), 'ada', 1, '', '{}', now(), now(), null, 'local'),
        (${workspaceId}, gen_random_uuid(), 'ada', 1, '', '{}', now(), null, null, 'local')`
    await tx`
      insert into knowledge.change (workspace_id, user_id, category, marked_at, failed)
      values (${workspaceId}, 'ada', 'goals', now(), false), (${workspaceId}, 'bob', '', now(), true)`
  })
  const backlog = await get('backlog')
  expect(backlog).toMatchObject({
    memories: { waiting: 109, failed: 11 },
    graph: { waiting: 1, failed: 1 },
    knowledge: { waiting: 1, failed: 1 },
    imports: { waiting: 2, failed: 0 },
    deliveries: { waiting: 120, failed: 0 },
    exports: { waiting: 1, failed: 0 },
    conversations: { waiting: 1, failed: 0 },
  })
  for (const kind of ['memories', 'graph', 'knowledge', 'imports', 'deliveries', 'exports']) {
    expect(backlog[kind].oldest_at >= before, kind).toBe(true)
  }
})

test('a change queues a memory anew, and its time of creation says nothing', async () => {
  const { client, database, workspaceId, get } = await world()
  const { body } = await client.post('/v1/memories', { memory: 'The boat lies in the harbour.' })
  const waitFrom = (interval: string) =>
    database.system(
      tx => tx`
        update memories.memory set waiting_since = now() - ${interval}::interval where workspace_id = ${workspaceId}`,
    )
  await waitFrom('2 hours')
  const before = (await get('backlog')).memories.oldest_at
  expect(Date.parse(before)).toBeLessThan(Date.now() - 3_600_000)
  await client.put(`/v1/memories/${body.id}`, { memory: 'The boat lies on the beach.' })
  expect(Date.parse((await get('backlog')).memories.oldest_at)).toBeGreaterThan(Date.now() - 60_000)
})

test('an alert tells of what has waited for over a quarter of an hour, until it is done', async () => {
  const { client, database, workspaceId, get } = await world()
  await client.post('/v1/memories', { memory: 'The stairs are to be painted.' })
  const waited = async (minutes: number) => {
    await database.system(async tx => {
      await tx`
        update memories.memory set waiting_since = now() - make_interval(mins => ${minutes}) where workspace_id = ${workspaceId}`
      await tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`
    })
    return get('alerts')
  }
  expect(await waited(14)).toEqual([])
  const [alert] = await waited(16)
  expect(alert).toMatchObject({
    type: 'PROCESSING_BACKLOG',
    severity: 'WARNING',
    title: 'Work has waited for 16 minutes: memories',
    resolved_at: null,
  })
  expect(alert.message).toMatch(/^1 of memories wait, the oldest since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
  expect((await waited(12))[0].resolved_at).toBe(null)
  expect((await waited(9))[0].resolved_at).not.toBe(null)
})

test('a delivery whose webhook is paused, or that waits for its next attempt, waits on purpose', async () => {
  const { client, database, workspaceId, get } = await world()
  const webhook = await client.post('/v1/webhooks', {
    url: 'https://93.184.216.34/hook',
    events: ['memory.created'],
  })
  await client.post('/v1/memories', { memory: 'The gate squeaks.' })
  const kinds = async (change: 'paused' | 'tried' | 'new') => {
    await database.system(async tx => {
      await tx`
        update memories.memory set status = 'COMPLETED' where workspace_id = ${workspaceId}`
      await tx`
        update webhooks.webhook set active = ${change !== 'paused'} where workspace_id = ${workspaceId}`
      await tx`
        update webhooks.delivery
        set round_started_at = now() - interval '20 minutes', attempts_made = ${change === 'tried' ? 1 : 0}
        where workspace_id = ${workspaceId}`
      await tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`
    })
    const alerts: { type: string; title: string; resolved_at: string | null }[] = await get('alerts')
    return alerts.filter(alert => alert.resolved_at === null).map(({ title }) => title)
  }
  expect(webhook.status).toBe(201)
  expect(await kinds('paused')).toEqual([])
  expect(await kinds('tried')).toEqual([])
  expect(await kinds('new')).toEqual(['Work has waited for 20 minutes: deliveries'])
  expect((await get('backlog')).deliveries.waiting).toBe(1)
})

test('the work of a third party is counted beside the others', async () => {
  const letters = definePlugin({
    id: 'post',
    version: '1.0.0',
    apiVersion: PLUGIN_API_VERSION,
    setup: () => ({
      scope: undefined as never,
      extensions: [
        extend(backlogSources, backlogOf({ kind: 'letters', table: 'exports.export', since: 'created_at' })),
        extend(backlogSources, {
          kind: 'imports',
          read: async () => ({ waiting: 3, failed: 1, oldestAt: new Date(0), lateAt: null }),
        }),
      ],
    }),
  })
  const { account } = await startService({ WORKERS: 'none' }, { thirdParty: [letters], url: await ownDatabaseUrl() })
  const { client } = await account()
  await client.post('/v1/exports', { format: 'JSONL' })
  const { body } = await client.get('/v1/dashboard/backlog')
  expect(body.letters).toMatchObject({ waiting: 1, failed: 0 })
  expect(body.imports).toEqual({ waiting: 3, failed: 1, oldest_at: '1970-01-01T00:00:00.000Z' })
})

test('needs the permission to read the dashboard', async () => {
  const { key } = await world()
  const response = await (await key({ permissions: ['memory.read'] })).get('/v1/dashboard/backlog')
  expect([response.status, response.body.error_code]).toEqual([403, 'FORBIDDEN'])
})
