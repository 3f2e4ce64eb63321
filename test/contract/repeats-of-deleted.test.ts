import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { TestAccount } from '../support/accounts.ts'
import { subject } from './subject.ts'

const account = async () => (await subject()).account()

const template = ({ client }: TestAccount, key: string) =>
  client.post('/v1/templates', { name: 'Private', memories: [{ memory: 'A private matter.' }] }, keyed(key))

const exporting = ({ client }: TestAccount, key: string) =>
  client.post('/v1/exports', { format: 'JSONL', user_id: 'private' }, keyed(key))

function ingest({ client }: TestAccount, key: string) {
  const form = new FormData()
  form.append('user_id', 'private')
  form.append('file', new Blob(['A private matter.']), 'private.txt')
  return client.request('POST', '/v1/memories/ingest', { raw: form, ...keyed(key) })
}

function keyed(key: string) {
  return { headers: { 'idempotency-key': key } }
}

for (const [path, make] of [
  ['/v1/templates', template],
  ['/v1/exports', exporting],
  ['/v1/ingest-jobs', ingest],
] as const) {
  test(`a repetition does not bring back what was deleted at ${path}`, async () => {
    const [own, key] = [await account(), randomUUID()]
    const { body } = await make(own, key)
    expect((await make(own, key)).body).toEqual(body)
    expect((await own.client.delete(`${path}/${body.id}`)).status).toBe(204)
    const { status, body: refusal } = await make(own, key)
    expect([status, refusal.error_code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(JSON.stringify(refusal)).not.toContain('rivate')
  })
}

test('a repetition does not bring back a document that was deleted with all memories of its user', async () => {
  const [own, key] = [await account(), randomUUID()]
  await ingest(own, key)
  const headers = { 'x-confirm-password': own.password }
  const deleting = await own.client.delete('/v1/memories', { query: { user_id: 'private' }, headers })
  expect(deleting.status).toBe(204)
  const { status, body } = await ingest(own, key)
  expect([status, body.error_code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
})
