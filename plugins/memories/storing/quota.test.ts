import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { storeRows } from '../stored-rows.test-support.ts'
import { memoryWorld } from '../world.test-support.ts'
import { createMemory } from './create.ts'

const batch = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`)

describe('the quota of memories', () => {
  test('is exact under concurrent creations, single and in batches', async () => {
    const { create, createAll, client } = await memoryWorld({ memoryQuota: 40 })
    const batches = Promise.all([1, 2, 3].map(n => createAll(batch(10, `batch ${n}`))))
    const singles = Promise.allSettled(Array.from({ length: 30 }, (_, n) => create({ text: `single ${n}` })))
    const created =
      (await batches).flat().filter(result => 'created' in result).length +
      (await singles).filter(result => result.status === 'fulfilled').length
    expect(created).toBe(40)
    expect((await client.get('/v1/memories')).body.total).toBe(40)
    await expect(create({ text: 'one more' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', status: 429 })
  })

  test('admits the first new memories of a batch; duplicates use no quota', async () => {
    const { create, createAll } = await memoryWorld({ memoryQuota: 3 })
    await create({ text: 'known' })
    const results = await createAll(['known', 'a', 'a', 'b', 'c', 'known', 'c'])
    expect(results.map(result => Object.keys(result)[0])).toEqual([
      'duplicateOf',
      'created',
      'duplicateOf',
      'created',
      'quotaExceeded',
      'duplicateOf',
      'quotaExceeded',
    ])
  })

  test('admits memories again after a deletion', async () => {
    const { create, client } = await memoryWorld({ memoryQuota: 1 })
    const memory = await create({ text: 'a' })
    await expect(create({ text: 'b' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await client.delete(`/v1/memories/${memory.id}`)
    expect((await create({ text: 'b' })).text).toBe('b')
  })

  test('names the memory that has the text before it tells that there is no room', async () => {
    const { create } = await memoryWorld({ memoryQuota: 1 })
    const memory = await create({ text: 'a' })
    await expect(create({ text: 'a' })).rejects.toMatchObject({
      code: 'DUPLICATE_MEMORY',
      message: expect.stringContaining(memory.id),
    })
  })

  test('gives a repetition the memory that took the last room, absorbed or not', async () => {
    const { scope, tenant, create } = await memoryWorld({ memoryQuota: 2 })
    const send = () => createMemory(scope, tenant, { text: 'a', source: 'API' }, 'seed')
    const survivor = await create({ text: 'b' })
    const { id } = await send()
    expect((await send()).id).toBe(id)
    await tenant.transaction(
      tx => tx`
        update memories.memory
        set live = false, consolidated_into = ${survivor.id}
        where workspace_id = ${tenant.workspaceId} and id = ${id}`,
    )
    expect((await send()).id).toBe(id)
  })

  test('has room for a text whose memory has expired', async () => {
    const { create, tenant } = await memoryWorld({ memoryQuota: 1 })
    const { id } = await create({ text: 'a', layer: 'TASK' })
    await tenant.transaction(
      tx => tx`
        update memories.memory
        set expires_at = now() - interval '1 second'
        where workspace_id = ${tenant.workspaceId}`,
    )
    expect((await create({ text: 'a' })).id).not.toBe(id)
  })

  test('over HTTP the plan decides, item by item in a batch', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account({ plan: 'free' })
    await storeRows(database, workspaceId, 9999)
    const { body } = await client.post('/v1/memories/batch', { memories: [{ memory: 'last' }, { memory: 'too many' }] })
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 429])
    expect(body.results[1].error.error_code).toBe('QUOTA_EXCEEDED')
    const single = await client.post('/v1/memories', { memory: 'also too many' })
    expect([single.status, single.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
  })
})
