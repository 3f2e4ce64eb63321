import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { withdrawRemoved } from '../withdrawal.ts'
import { type KnowledgeWorld, knowledgeWorld } from '../world.test-support.ts'
import { restoreVersionRoute } from './restore-version.ts'

const versionsOf = async (client: Client, id: string, query: Record<string, number> = {}): Promise<Json> =>
  (await client.get(`/v1/knowledge/${id}/versions`, { query })).body

/** An entry that was compiled three times, with a statement more each time. */
async function grown(): Promise<{ world: KnowledgeWorld; id: string; contents: string[]; memories: string[] }> {
  const world = await knowledgeWorld()
  const contents: string[] = []
  const memories: string[] = []
  for (const thing of ['tea', 'jazz', 'rain']) {
    memories.push(world.say(`Ada likes ${thing}.`).memoryId)
    await world.compile('ada', 'preferences')
    contents.push((await world.content('ada', 'preferences')) ?? '')
  }
  const id = (await world.entries('ada')).get('preferences')?.id
  return { world, id, contents, memories }
}

/** The route with the world's own statements behind it. */
async function restore({ scope, tenant }: KnowledgeWorld, id: string, version: number): Promise<Json> {
  const caller = { id: 'editor', permissions: new Set(['knowledge.write']) }
  const answer = await restoreVersionRoute.handle({
    params: { id, version: String(version) },
    scope,
    tenant,
    caller,
  } as never)
  return 'body' in answer ? answer.body : undefined
}

describe('GET /v1/knowledge/:id/versions', () => {
  test('lists what the entry said, the present first, with the time at which it came to say so', async () => {
    const { world, id, contents } = await grown()
    const { data, total } = await versionsOf(world.client, id)
    expect([total, data.map(({ version }: Json) => version)]).toEqual([3, [3, 2, 1]])
    expect(data.map(({ content }: Json) => content)).toEqual(contents.toReversed())
    const times = data.map((each: Json) => each.created_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(data[0].created_at).toBe((await world.entries('ada')).get('preferences')?.updated_at)
    const second = await versionsOf(world.client, id, { page: 2, page_size: 1 })
    expect([second.data.map(({ version }: Json) => version), second.total]).toEqual([[2], 3])
  })

  test('keeps the last 20, and no more memories than they name', async () => {
    const { world, id } = await grown()
    for (let n = 4; n <= 23; n++) {
      world.say(`Ada likes number ${n}.`)
      await world.compile('ada', 'preferences')
    }
    const { data, total } = await versionsOf(world.client, id, { page_size: 100 })
    expect([total, data.length, data[0].version, data.at(-1).version]).toEqual([20, 20, 23, 4])
  })

  test('refuses entries of nobody, and keys that may not read knowledge', async () => {
    const { world, id } = await grown()
    const unknown = await world.client.get(`/v1/knowledge/${randomUUID()}/versions`)
    expect([unknown.status, unknown.body.error_code]).toEqual([404, 'KNOWLEDGE_NOT_FOUND'])
    const stranger = await world.account.key({ permissions: ['knowledge.write'] })
    expect((await stranger.get(`/v1/knowledge/${id}/versions`)).status).toBe(403)
  })
})

describe('POST /v1/knowledge/:id/versions/:version/restore', () => {
  test('makes an earlier content the present one, which survives compilations', async () => {
    const { world, id, contents } = await grown()
    const restored = await restore(world, id, 1)
    expect(restored).toMatchObject({ id, version: 4, content: contents[0] })
    await world.compile('ada', 'preferences')
    expect(await world.content('ada', 'preferences')).toBe(contents[0])
    const { data } = await versionsOf(world.client, id)
    expect(data.map(({ content }: Json) => content)).toEqual([contents[0], contents[2], contents[1], contents[0]])
  })

  test('brings back what was written by hand', async () => {
    const { world, id, contents } = await grown()
    const written = `${contents[2]}\n## Notes\n\nAsk her.\n`
    const { scope, tenant } = world
    const edit = { params: { id }, body: { content: written }, scope, tenant, caller: { id: 'x', permissions: 'all' } }
    const { editKnowledgeRoute } = await import('./edit-knowledge.ts')
    await editKnowledgeRoute.handle(edit as never)
    await restore(world, id, 3)
    expect(await world.content('ada', 'preferences')).toBe(contents[2])
    await restore(world, id, 4)
    expect(await world.content('ada', 'preferences')).toBe(written)
  })

  test('refuses versions that are not kept, bad numbers, and keys that may not write', async () => {
    const { world, id } = await grown()
    const path = (version: string) => `/v1/knowledge/${id}/versions/${version}/restore`
    const missing = await world.client.post(path('9'))
    expect([missing.status, missing.body.error_code]).toEqual([404, 'KNOWLEDGE_VERSION_NOT_FOUND'])
    for (const bad of ['0', 'one', '1.5']) expect((await world.client.post(path(bad))).status).toBe(400)
    const reader = await world.account.key({ permissions: ['knowledge.read'] })
    expect((await reader.post(path('1'))).status).toBe(403)
  })
})

describe('what is deleted', () => {
  test('leaves every version, and nothing is noted of it any more', async () => {
    const { world, id, memories } = await grown()
    const [tea = '', jazz = ''] = memories
    const { scope, workspaceId } = world
    const remove = (ids: string[]) =>
      scope.database.workspace(workspaceId, tx => withdrawRemoved(tx, scope.events, workspaceId, ids))
    await remove([jazz])
    const { data } = await versionsOf(world.client, id)
    expect(JSON.stringify(data)).not.toContain('jazz')
    expect(JSON.stringify(data)).not.toContain(jazz)
    // The third is the fourth with what was deleted.
    expect(data.map(({ version }: Json) => version)).toEqual([4, 2, 1])
    for (const { content } of data) expect(content).toContain('likes tea')
    const sources = () =>
      scope.database.workspace(
        workspaceId,
        tx => tx<{ memory_id: string }[]>`
          select source.memory_id from knowledge.source where source.workspace_id = ${workspaceId} and source.holder_id = ${id}`,
      )
    expect((await sources()).map(({ memory_id }) => memory_id)).not.toContain(jazz)
    // It stands in former versions alone.
    world.statements.splice(0, 1)
    await world.compile('ada', 'preferences')
    expect(await world.content('ada', 'preferences')).not.toContain('likes tea')
    expect((await sources()).map(({ memory_id }) => memory_id)).toContain(tea)
    await remove([tea])
    expect(JSON.stringify(await versionsOf(world.client, id))).not.toContain('tea')
    expect((await sources()).map(({ memory_id }) => memory_id)).not.toContain(tea)
  })

  test('a user takes the versions along, and another user keeps theirs', async () => {
    const { account: accountOf, database } = await service()
    const { client, workspaceId } = await accountOf()
    const entryOf = async (user_id: string) => (await client.get('/v1/knowledge', { query: { user_id } })).body.data[0]
    for (const user_id of ['ada', 'bob']) {
      await client.post('/v1/memories', { memory: `I like jam of quince${user_id === 'bob' ? 's' : ''}.`, user_id })
      await until('the entry', async () => (await entryOf(user_id)) !== undefined)
      const { id, content } = await entryOf(user_id)
      await client.put(`/v1/knowledge/${id}`, { content: `${content}\nAsk ${user_id}.\n` })
    }
    const bob = await entryOf('bob')
    const { body } = await client.delete('/v1/users/ada')
    await until(
      'the erasure',
      async () => (await client.get(`/v1/users/erasures/${body.id}`)).body.status === 'COMPLETED',
    )
    const kept = await database.system(
      tx => tx<{ entry_id: string }[]>`
        select version.entry_id from knowledge.version where version.workspace_id = ${workspaceId}`,
    )
    expect(kept.length).toBeGreaterThan(0)
    expect(new Set(kept.map(({ entry_id }) => entry_id))).toEqual(new Set([bob.id]))
  })
})
