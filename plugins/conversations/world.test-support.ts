import type { Client, Json } from '../../test/support/client.ts'
import { until } from '../../test/support/wait.ts'

export const PATH = '/v1/memories/conversations'

/** Waits until a conversation is done with, and returns it. */
export function settled(client: Client, id: string): Promise<Json> {
  return until('the conversation is done with', async () => {
    const { body } = await client.get(`${PATH}/${id}`)
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined
  })
}

/** Hands a conversation in and waits until it is done with. */
export async function handIn(client: Client, messages: readonly object[], fields: object = {}): Promise<Json> {
  const { status, body } = await client.post(PATH, { messages, ...fields })
  if (status !== 202) throw new Error(`the conversation was answered with ${status}: ${JSON.stringify(body)}`)
  return settled(client, body.id)
}

/** The texts of memories, in the order of their ids. */
export async function textsOf(client: Client, ids: readonly string[]): Promise<string[]> {
  const memories = await Promise.all(ids.map(id => client.get(`/v1/memories/${id}`)))
  return memories.map(({ body }) => body.memory)
}

export const user = (content: string, created_at?: string) => ({
  role: 'user',
  content,
  ...(created_at ? { created_at } : {}),
})
export const assistant = (content: string) => ({ role: 'assistant', content })
