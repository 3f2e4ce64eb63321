import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { ISO, NOBODY, subject, UUID } from './subject.ts'

let client: Client
beforeAll(async () => {
  client = (await (await subject()).account()).client
})

const TEMPLATE = {
  name: 'New customer',
  description: null,
  variables: [{ name: 'customer', required: true, default: null }],
  memories: [
    { memory: '{{customer}} was met.', categories: [], priority: 'LOW', metadata: { from: 'x' }, layer: 'RAW' },
  ],
}

describe('templates', () => {
  test('are created, changed, applied and deleted', async () => {
    const made = await client.post('/v1/templates', TEMPLATE)
    expect(made.status).toBe(201)
    const times = { created_at: ISO, updated_at: ISO }
    expect(made.body).toEqual({ id: UUID, ...TEMPLATE, ...times })
    const path = `/v1/templates/${made.body.id}`
    expect((await client.patch(path, { name: 'Known' })).body).toEqual({ ...made.body, name: 'Known', ...times })
    const missing = await client.post(`${path}/apply`, { user_id: 'ada', variables: {} })
    expect([missing.status, missing.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    const applied = await client.post(`${path}/apply`, { user_id: 'ada', variables: { customer: 'Acme' } })
    expect([applied.status, applied.body.memories_created]).toEqual([201, 1])
    expect(applied.body.memories).toMatchObject([{ memory: 'Acme was met.', user_id: 'ada', source: 'TEMPLATE' }])
    expect((await client.delete(path)).status).toBe(204)
  })

  test('an unknown one is 404 TEMPLATE_NOT_FOUND', async () => {
    const { status, body } = await client.get(`/v1/templates/${NOBODY}`)
    expect([status, body.error_code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
  })
})
