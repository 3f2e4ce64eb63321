import { randomUUID } from 'node:crypto'
import type { Client, Json } from './client.ts'
import { until } from './wait.ts'

let words = 0
/** A word that is in nothing else. */
export const marker = (): string => `zq${(words++).toString(36)}${randomUUID().replaceAll(/[^a-z]/g, '')}xz`

export interface Person {
  readonly id: string
  readonly markers: string[]
  mark(): string
}

export function person(id = `user-${marker()}`): Person {
  const markers = [id]
  return {
    id,
    markers,
    mark() {
      const word = marker()
      markers.push(word)
      return word
    },
  }
}

/** Sends and expects success. */
export async function sent(client: Client, method: string, path: string, options: object = {}): Promise<Json> {
  const { status, body } = await client.request(method, path, options)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

export const settled = (client: Client, path: string): Promise<Json> =>
  until(`${path} is done with`, async () => {
    const { body } = await client.get(path)
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined
  })

/** Has the service keep something of a person by every way in. */
export async function keepAll(client: Client, { id, mark }: Person): Promise<void> {
  const withKey = (body: object) => ({ body, headers: { 'idempotency-key': `key ${mark()}` } })
  const post = (path: string, body: object) => sent(client, 'POST', path, withKey(body))
  const fields = { user_id: id, agent_id: mark(), session_id: mark() }
  const memory = await post('/v1/memories', {
    memory: `I live in ${mark()} and I work at ${mark()}.`,
    metadata: { note: mark() },
    categories: [mark()],
    ...fields,
  })
  await sent(client, 'PUT', `/v1/memories/${memory.id}`, {
    body: { memory: `My name is ${mark()}, I live in ${mark()}.` },
  })
  await post('/v1/memories/batch', {
    memories: [
      { memory: `I like ${mark()} tea.`, ...fields },
      { memory: `My sister is called ${mark()}.`, user_id: id },
    ],
  })
  for (const query of [mark(), `what about ${mark()} today`]) {
    await sent(client, 'GET', '/v1/memories/search', { query: { query, user_id: id } })
    const found = await post('/v1/memories/search', { query, user_id: id })
    await post(`/v1/memories/${memory.id}/feedback`, { signal: 'POSITIVE', query_hash: found.query_hash })
  }
  await post('/v1/context', { query: `Tell me of ${mark()}.`, user_id: id })
  await post('/v1/graph/query', { question: `Where does ${mark()} live?`, user_id: id }).catch(() => undefined)
  const conversation = await post('/v1/memories/conversations', {
    messages: [{ role: 'user', content: `I moved to ${mark()} in May and I love ${mark()}.` }],
    user_id: id,
  })
  await settled(client, `/v1/memories/conversations/${conversation.id}`)
  await ingest(client, id, mark)
  const template = await sent(client, 'POST', '/v1/templates', {
    body: { name: 'New', variables: [{ name: 'who' }], memories: [{ memory: '{{who}} is a new customer.' }] },
  })
  await post(`/v1/templates/${template.id}/apply`, { user_id: id, variables: { who: mark() } })
  await throughMcp(client, id, mark)
  await importFile(client, id, mark)
  await writeByHand(client, id, mark)
}

async function ingest(client: Client, id: string, mark: () => string): Promise<void> {
  const form = new FormData()
  form.set('user_id', id)
  form.set('file', new Blob([`# ${mark()}\n\nThe contract of ${mark()} ends in May.\n`]), `${mark()}.md`)
  const headers = { 'idempotency-key': mark() }
  const job = await sent(client, 'POST', '/v1/memories/ingest', { raw: form, headers })
  await settled(client, `/v1/ingest-jobs/${job.id}`)
}

async function throughMcp(client: Client, id: string, mark: () => string): Promise<void> {
  const call = (name: string, args: object) =>
    sent(client, 'POST', '/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      headers: { 'idempotency-key': mark() },
    })
  await call('add_memory', { memory: `I drive a ${mark()} car.`, user_id: id })
  await call('search_memories', { query: mark(), user_id: id })
}

async function importFile(client: Client, id: string, mark: () => string): Promise<void> {
  const form = new FormData()
  const line = { memory: `I collect ${mark()} stamps.`, user_id: id }
  form.set('user_id', id)
  form.set('file', new Blob([`${JSON.stringify(line)}\n{"memory": "I play ${mark()} chess."}\n`]), `${mark()}.jsonl`)
  const job = await sent(client, 'POST', '/v1/imports', { raw: form, headers: { 'idempotency-key': mark() } })
  await settled(client, `/v1/imports/${job.id}`)
}

/** Changes the knowledge that was compiled of the person, once there is some. */
async function writeByHand(client: Client, id: string, mark: () => string): Promise<void> {
  const entry = await until('knowledge is compiled', async () => {
    const { body } = await client.get('/v1/knowledge', { query: { user_id: id } })
    return body.data?.[0]
  })
  await sent(client, 'PUT', `/v1/knowledge/${entry.id}`, { body: { content: `- Loves ${mark()} by hand.` } })
}

export async function exportAll(client: Client, body: object): Promise<Json> {
  const include = ['memories', 'history', 'knowledge', 'graph']
  const made = await sent(client, 'POST', '/v1/exports', { body: { format: 'JSONL', include, ...body } })
  return settled(client, `/v1/exports/${made.id}`)
}

export async function download(client: Client, id: string): Promise<string> {
  const headers = { ...client.headers }
  return (await client.fetch(new Request(`http://localhost/v1/exports/${id}/download`, { headers }))).text()
}
