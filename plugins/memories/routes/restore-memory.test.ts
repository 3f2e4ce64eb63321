import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { restoreMemory } from '../consolidation/restore.ts'
import { listed, processed, remember } from '../consolidation/world.test-support.ts'
import { jobOf, memoryWorld } from '../world.test-support.ts'

const client = async () => (await (await service()).account()).client

describe('POST /v1/memories/:id/restore', () => {
  test('restores an absorbed memory exactly as it was', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes tea', { categories: ['own'] })
    const { body: created } = await api.post('/v1/memories', {
      memory: '  ada likes tea \n',
      categories: ['drinks', 'own'],
      priority: 'HIGH',
      session_id: 's',
    })
    expect((await processed(api, created.id)).consolidated_into).toBe(older.id)
    const { status, body } = await api.post(`/v1/memories/${created.id}/restore`)
    expect(status).toBe(200)
    expect(body).toEqual(created)
    expect(await processed(api, created.id)).toMatchObject({ ...created, status: 'COMPLETED', consolidated_into: null })
  })

  test('takes back what the survivor gained from it, and both appear in lists and search', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes jam', { categories: ['own'] })
    const younger = await remember(api, 'ada likes jam', { categories: ['food'], priority: 'HIGH' })
    expect(await processed(api, older.id)).toMatchObject({ categories: ['own', 'food'], priority: 'HIGH' })
    await api.post(`/v1/memories/${younger.id}/restore`)
    await processed(api, younger.id)
    expect(await processed(api, older.id)).toMatchObject({ categories: ['own'], priority: 'MEDIUM' })
    expect((await listed(api)).sort()).toEqual(['Ada likes jam', 'ada likes jam'])
    const { body } = await api.post('/v1/memories/search', { query: 'jam', mode: 'keyword' })
    expect(body.total).toBe(2)
  })

  test('leaves the survivor what others brought too, and values set since', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes rye')
    const [a, b] = [
      await remember(api, 'ada likes rye', { categories: ['x', 'y'], priority: 'HIGH' }),
      await remember(api, 'Ada likes rye.', { categories: ['y'], priority: 'HIGH' }),
    ]
    await processed(api, older.id)
    await api.post(`/v1/memories/${a.id}/restore`)
    expect(await processed(api, older.id)).toMatchObject({ categories: ['y'], priority: 'HIGH' })
    await api.put(`/v1/memories/${older.id}`, { memory: 'Ada likes rye', categories: ['y', 'z'] })
    await processed(api, older.id)
    await api.post(`/v1/memories/${b.id}/restore`)
    expect(await processed(api, older.id)).toMatchObject({ categories: ['y', 'z'], priority: 'MEDIUM' })
  })

  test('excludes it from merges while its text stays', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes fog')
    const younger = await remember(api, 'ada likes fog')
    await api.post(`/v1/memories/${younger.id}/restore`)
    expect((await processed(api, younger.id)).consolidated_into).toBeNull()
    for (const { id } of [younger, older]) {
      await api.post(`/v1/memories/${id}/reprocess`)
      expect((await processed(api, id)).consolidated_into).toBeNull()
    }
    await api.put(`/v1/memories/${younger.id}`, { memory: younger.memory, priority: 'LOW' })
    expect((await processed(api, younger.id)).consolidated_into).toBeNull()
    await api.put(`/v1/memories/${younger.id}`, { memory: 'ada likes FOG' })
    expect((await processed(api, younger.id)).consolidated_into).toBe(older.id)
  })

  test('is recorded in its history, and another near-duplicate still goes to the oldest', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes ink')
    const younger = await remember(api, 'ada likes ink')
    await api.post(`/v1/memories/${younger.id}/restore`)
    await processed(api, younger.id)
    const { body } = await api.get(`/v1/memories/${younger.id}/history`)
    expect(body.data.map((event: { event: string }) => event.event)).toEqual(['CREATED', 'RESTORED'])
    expect((await remember(api, 'Ada likes ink!')).consolidated_into).toBe(older.id)
  })

  test('follows a survivor that was absorbed itself', async () => {
    const api = await client()
    const first = await remember(api, 'Ada likes mud')
    const second = await remember(api, 'Ada likes sun')
    const third = await remember(api, 'ada likes sun', { categories: ['brought'] })
    await processed(api, second.id)
    await api.put(`/v1/memories/${first.id}`, { memory: 'ADA LIKES SUN' })
    await processed(api, first.id)
    expect((await processed(api, first.id)).categories).toEqual(['brought'])
    expect((await processed(api, second.id)).consolidated_into).toBe(first.id)
    expect((await api.post(`/v1/memories/${third.id}/restore`)).status).toBe(200)
    expect((await processed(api, first.id)).categories).toEqual([])
    expect((await processed(api, second.id)).categories).toEqual([])
    expect((await api.post(`/v1/memories/${second.id}/restore`)).status).toBe(200)
    await Promise.all([first, second, third].map(memory => processed(api, memory.id)))
    expect(await listed(api)).toHaveLength(3)
  })

  test('is 409 for a memory that is not absorbed, including one just restored', async () => {
    const api = await client()
    const older = await remember(api, 'Ada likes oak')
    const younger = await remember(api, 'ada likes oak')
    const refused = await api.post(`/v1/memories/${older.id}/restore`)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'MEMORY_NOT_CONSOLIDATED'])
    const twice = await Promise.all([1, 2].map(() => api.post(`/v1/memories/${younger.id}/restore`)))
    expect(twice.map(response => response.status).sort()).toEqual([200, 409])
  })

  test('is 409 where another memory has its exact text by now', async () => {
    const api = await client()
    await remember(api, 'Ada likes elm', { metadata: { k: 1 } })
    const younger = await remember(api, 'ada likes elm')
    expect(younger.consolidated_into).not.toBeNull()
    const holder = await remember(api, 'ada likes elm', { metadata: { k: 2 } })
    expect(holder.consolidated_into).toBeNull()
    const refused = await api.post(`/v1/memories/${younger.id}/restore`)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'DUPLICATE_MEMORY'])
    expect(refused.body.message).toContain(holder.id)
    expect((await processed(api, younger.id)).consolidated_into).not.toBeNull()
  })

  test('is 410 if it has expired meanwhile', async () => {
    const { account, database } = await service()
    const { client: api, workspaceId } = await account()
    const fields = { layer: 'TASK', expires_at: '2099-01-01' }
    await remember(api, 'Ada likes fir', fields)
    const younger = await remember(api, 'ada likes fir', fields)
    await database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second' where id = ${younger.id}`,
    )
    const response = await api.post(`/v1/memories/${younger.id}/restore`)
    expect([response.status, response.body.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })

  test('needs no room in the quota, for an absorbed memory never left it', async () => {
    const world = await memoryWorld({ memoryQuota: 2 })
    const { tenant, scope } = world
    const older = await world.create({ text: 'Ada likes ash' })
    await scope.process(jobOf(older))
    const younger = await world.create({ text: 'ada likes ash' })
    await scope.process(jobOf(younger))
    expect((await world.shown(younger.id)).consolidated_into).toBe(older.id)
    await expect(world.create({ text: 'ada likes ash' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await restoreMemory(scope, tenant, younger.id)).toMatchObject({ id: younger.id, status: 'PENDING' })
    expect(world.kinds().at(-1)).toBe('memory.restored')
  })
})
