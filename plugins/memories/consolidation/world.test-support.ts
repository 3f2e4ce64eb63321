import type { Client, Json } from '../../../test/support/client.ts'
import { until } from '../../../test/support/wait.ts'

/** Waits until a memory is processed or merged. @returns the response to get-one */
export async function processed(client: Client, id: string): Promise<Json> {
  return until(`memory ${id} is processed`, async () => {
    const { body } = await client.get(`/v1/memories/${id}`)
    return body.status === 'COMPLETED' && body
  })
}

/** Stores a memory and waits until it is processed. */
export async function remember(client: Client, memory: string, fields: object = {}): Promise<Json> {
  const { status, body } = await client.post('/v1/memories', { memory, ...fields })
  if (status !== 201) throw new Error(`the memory was answered with ${status}: ${JSON.stringify(body)}`)
  return processed(client, body.id)
}

/** Returns the texts of the plain list, the newest first. */
export async function listed(client: Client, query: Record<string, string> = {}): Promise<string[]> {
  const { body } = await client.get('/v1/memories', { query: { page_size: '100', ...query } })
  return body.data.map((memory: Json) => memory.memory)
}
