import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

/** A workspace whose key stores, searches, deletes, and looks at what was searched for. */
async function world() {
  const { account, database } = await service()
  const { client, workspaceId } = await account()
  const queries = async (): Promise<string[]> =>
    (await client.get('/v1/dashboard/top-queries')).body.data.map(({ query }: Json) => query)
  const search = async (query: string) => {
    await until(`a search for ${query} to be logged`, async () => {
      // One that follows a deletion within a second may be left out.
      await client.get('/v1/memories/search', { query: { query } })
      return (await queries()).includes(query)
    })
  }
  await search('green tea')
  return {
    client,
    workspaceId,
    database,
    queries,
    search,
    store: async (memory: string, fields: object = {}): Promise<string> =>
      (await client.post('/v1/memories', { memory, ...fields })).body.id,
    memory: async (id: string): Promise<Json> => (await client.get(`/v1/memories/${id}`)).body,
    erase: async (id: string) => expect((await client.delete(`/v1/memories/${id}`)).status).toBe(204),
  }
}

const SECRET = "Ada's PIN is 4711"

describe('the deletion of a memory takes from the list of searches', () => {
  test('the texts that the memory had before it was edited', async () => {
    const { client, store, search, erase, queries } = await world()
    const id = await store(SECRET)
    await search(SECRET)
    await client.put(`/v1/memories/${id}`, { memory: 'Ada keeps her PIN to herself' })
    await search("tell me: Ada's PIN is 4711?")
    await erase(id)
    expect(await queries()).toEqual(['green tea'])
  })

  test.each(['absorbed', 'surviving'])('the text of an absorbed memory, where the %s one is deleted', async which => {
    const { store, memory, search, erase, queries } = await world()
    const survivor = await store('I do not eat meat', { user_id: 'ada' })
    const processed = (id: string) => async () => (await memory(id)).status === 'COMPLETED'
    await until('the first to be processed', processed(survivor))
    const text = "I don't eat meat"
    const absorbed = await store(text, { user_id: 'ada' })
    await until('the second to be absorbed', async () => (await memory(absorbed)).consolidated_into === survivor)
    await search(text)
    await erase(which === 'absorbed' ? absorbed : survivor)
    expect(await queries()).toEqual(['green tea'])
  })

  test('the text of a memory that had expired', async () => {
    const { store, search, erase, queries, database, workspaceId } = await world()
    const id = await store(SECRET, { layer: 'TASK' })
    await database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second' where memory.id = ${id}`,
    )
    // An expired memory gives its text up to the next that has it, and leaves the index with that.
    const next = await store(SECRET)
    await erase(next)
    await search(SECRET)
    await erase(id)
    expect(await queries()).toEqual(['green tea'])
  })
})
