import { expect, test } from 'bun:test'
import { idleService } from '../../../test/support/service.ts'
import { tenantByHand } from '../../../test/support/tenant.ts'
import { memoryReader, memoryWriter } from '../contract.ts'

/** A workspace with a memory that is processed, and the ports to it. */
async function world() {
  const service = await idleService()
  const { wiring } = service.kernel
  const { client, tenant } = await tenantByHand(service)
  const { body } = await client.post('/v1/memories', {
    memory: 'Ada sails on Sundays.',
    session_id: 'before',
    categories: ['sport'],
    metadata: { page: 1 },
  })
  await tenant.transaction(tx => tx`update memories.memory set status = 'COMPLETED' where memory.id = ${body.id}`)
  const record = async () => {
    const [memory] = await tenant.transaction(tx => wiring.use(memoryReader).records(tx, [body.id]))
    if (!memory) throw new Error('the memory is gone')
    return memory
  }
  return { client, tenant, record, writer: wiring.use(memoryWriter) }
}

test('another session and other metadata leave a memory processed, as it is found from then on', async () => {
  const { client, tenant, record, writer } = await world()
  const memory = await record()
  const amendment = { memory, sessionId: 'after', categories: memory.categories, metadata: { page: 2, added: true } }
  expect(await writer.amend(tenant, [amendment])).toBe(0)
  expect(await record()).toEqual({ ...memory, sessionId: 'after', metadata: { page: 2, added: true } })
  const search = { query: 'sails', mode: 'keyword', session_id: 'after', filter: { page: 2 } }
  expect((await client.post('/v1/memories/search', search)).body.total).toBe(1)
  expect((await client.get(`/v1/memories/${memory.id}/history`)).body.data).toHaveLength(1)
})

test('other categories let a memory be processed again', async () => {
  const { client, tenant, record, writer } = await world()
  const memory = await record()
  expect(await writer.amend(tenant, [{ ...memory, memory, categories: ['leisure'] }])).toBe(1)
  expect(await record()).toMatchObject({
    categories: ['leisure'],
    status: 'PENDING',
    revision: memory.revision + 1,
    text: memory.text,
  })
  expect((await client.get('/v1/memories', { query: { categories: 'leisure' } })).body.total).toBe(1)
})

test('a memory that somebody changed meanwhile stays as they left it', async () => {
  const { client, tenant, record, writer } = await world()
  const memory = await record()
  await client.put(`/v1/memories/${memory.id}`, { memory: 'Ada dives on Sundays.' })
  const changed = await record()
  expect(await writer.amend(tenant, [{ ...memory, memory, sessionId: 'after', categories: ['leisure'] }])).toBe(0)
  expect(await record()).toEqual(changed)
})
