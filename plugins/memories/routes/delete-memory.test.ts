import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { setInheritedFields } from '../consolidation/store.ts'
import { memoryWorld } from '../world.test-support.ts'

describe('DELETE /v1/memories/:id', () => {
  test('leaves no row of the memory behind', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    await client.post('/v1/memories', { memory: 'b' })
    await client.delete(`/v1/memories/${body.id}`)
    const [left] = await database.workspace(
      workspaceId,
      tx => tx`
        select
          (select string_agg(text, ',') from memories.memory) as memories,
          (select string_agg(new_content, ',') from memories.history) as events`,
    )
    expect(left).toEqual({ memories: 'b', events: 'b' })
  })

  test("deletes absorbed memories, and the text of an absorbed one from its survivor's history", async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const create = async (memory: string) => (await client.post('/v1/memories', { memory })).body.id
    const [survivor, absorbed, deeper] = [await create('survivor'), await create('absorbed'), await create('deeper')]
    const absorb = (from: string, into: string) =>
      database.workspace(workspaceId, async tx => {
        await tx`update memories.memory set live = false, consolidated_into = ${into} where id = ${from}`
        await tx`
          insert into memories.history
            (workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at)
          values
            (${workspaceId}, ${into}, ${randomUUID()}, 'CONSOLIDATED', 'x', 'merged', 2, ${from}, now())`
      })
    await absorb(deeper, absorbed)
    await absorb(absorbed, survivor)
    expect((await client.delete(`/v1/memories/${deeper}`)).status).toBe(204)
    expect((await client.get(`/v1/memories/${absorbed}/history`)).body.total).toBe(1)
    expect((await client.get(`/v1/memories/${survivor}/history`)).body.total).toBe(2)
    expect((await client.delete(`/v1/memories/${survivor}`)).status).toBe(204)
    const [left] = await database.workspace(
      workspaceId,
      tx => tx`select (select count(*) from memories.memory) + (select count(*) from memories.history) as count`,
    )
    expect(left?.count).toBe(0)
  })

  test('erases the text from a stored idempotent response', async () => {
    const { client } = await (await service()).account()
    const headers = { 'idempotency-key': randomUUID() }
    const { body } = await client.post('/v1/memories', { memory: 'secret' }, { headers })
    await client.delete(`/v1/memories/${body.id}`)
    const replayed = await client.post('/v1/memories', { memory: 'secret' }, { headers })
    expect(JSON.stringify(replayed.body)).not.toContain('secret')
  })

  test('works on an expired memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    expect((await client.delete(`/v1/memories/${body.id}`)).status).toBe(204)
  })

  test('succeeds for one of two concurrent requests', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    const twice = await Promise.all([1, 2].map(() => client.delete(`/v1/memories/${body.id}`)))
    expect(twice.map(response => response.status).sort()).toEqual([204, 404])
  })

  test('takes back what a merge under way passes on to the survivor', async () => {
    const { client, create, scope, shown, tenant } = await memoryWorld({ idle: true })
    const [survivor, absorbed] = [
      await create({ text: 'tea' }),
      await create({ text: 'Tea', categories: ['brought'], priority: 'HIGH' }),
    ]
    const isConcurrent = await scope.database.isConcurrent()
    const held = Promise.withResolvers<void>()
    const merging = tenant.transaction(async tx => {
      await tx`select from memories.memory where id in (${survivor.id}, ${absorbed.id}) order by id for update`
      held.resolve()
      // On the embedded database the deletion begins after this transaction.
      await until('the deletion to wait for it', async () => {
        const waiting =
          await tx`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
        return waiting.length > 0 || !isConcurrent
      })
      await tx`update memories.memory set live = false, consolidated_into = ${survivor.id} where id = ${absorbed.id}`
      const gained = { categories: ['brought'], priority: 'HIGH' as const }
      await setInheritedFields(tx, tenant.workspaceId, survivor.id, gained, 'kept', new Date())
    })
    await held.promise
    const [deleted] = await Promise.all([client.delete(`/v1/memories/${absorbed.id}`), merging])
    expect(deleted.status).toBe(204)
    expect(await shown(survivor.id)).toMatchObject({ categories: [], priority: 'MEDIUM' })
  })

  test('works on memories that an import made survivors of each other', async () => {
    const { client, create, tenant } = await memoryWorld({ idle: true })
    const [one, other] = [await create({ text: 'one' }), await create({ text: 'other' })]
    await tenant.transaction(
      tx => tx`
        update memories.memory
        set live = false, consolidated_into = case id when ${one.id} then ${other.id}::uuid else ${one.id}::uuid end`,
    )
    expect((await client.delete(`/v1/memories/${one.id}`)).status).toBe(204)
    expect((await client.get(`/v1/memories/${other.id}`)).status).toBe(404)
  })
})
