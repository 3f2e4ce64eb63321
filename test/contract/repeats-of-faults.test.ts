import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { subject } from './subject.ts'

test('an Idempotency-Key is not used up by input at fault, whichever rule finds it', async () => {
  const { client } = await (await subject()).account()
  const post = (path: string, body: object, key: string) =>
    client.post(path, body, { headers: { 'idempotency-key': key } })
  const template = { name: 'Stored under the key', memories: [{ memory: 'Likes {{drink}}.' }] }
  const webhook = { url: 'https://hooks.example.com/key', events: ['memory.unheard'] }
  const inputs: [path: string, faulty: object][] = [
    ['/v1/memories', {}],
    ['/v1/memories/conversations', { messages: [{ role: 'user', content: 'x' }], metadata: { x: 'x'.repeat(70_000) } }],
    ['/v1/templates', template],
    ['/v1/webhooks', webhook],
    [`/v1/memories/${randomUUID()}/feedback`, {}],
  ]
  for (const [path, faulty] of inputs) {
    const key = randomUUID()
    const refused = await post(path, faulty, key)
    expect([path, refused.status, refused.body.error_code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    expect([path, (await post('/v1/memories', { memory: `After ${path}.` }, key)).status]).toEqual([path, 201])
  }
})
