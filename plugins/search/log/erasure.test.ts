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
  const store = async (memory: string, fields: object = {}): Promise<string> =>
    (await client.post('/v1/memories', { memory, ...fields })).body.id
  const memory = async (id: string): Promise<Json> => (await client.get(`/v1/memories/${id}`)).body
  await search('green tea')
  return {
    client,
    queries,
    search,
    store,
    /** Stores near-duplicates, of which the first absorbs the second. */
    async storeTwice(first: string, second: string) {
      const survivor = await store(first, { user_id: 'ada' })
      await until('the first to be processed', async () => (await memory(survivor)).status === 'COMPLETED')
      const absorbed = await store(second, { user_id: 'ada' })
      await until('the second to be absorbed', async () => (await memory(absorbed)).consolidated_into === survivor)
      return { survivor, absorbed }
    },
    async storeExpired(text: string) {
      const id = await store(text, { layer: 'TASK' })
      await database.workspace(
        workspaceId,
        tx => tx`update memories.memory set expires_at = now() - interval '1 second' where memory.id = ${id}`,
      )
      return id
    },
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
    const { storeTwice, search, erase, queries } = await world()
    const text = "I don't eat meat"
    const { survivor, absorbed } = await storeTwice('I do not eat meat', text)
    await search(text)
    await erase(which === 'absorbed' ? absorbed : survivor)
    expect(await queries()).toEqual(['green tea'])
  })

  test('the text of a memory that had expired', async () => {
    const { store, storeExpired, search, erase, queries } = await world()
    const id = await storeExpired(SECRET)
    // An expired memory gives its text up to the next that has it, and leaves the index with that.
    const next = await store(SECRET)
    await erase(next)
    await search(SECRET)
    await erase(id)
    expect(await queries()).toEqual(['green tea'])
  })
})

describe('the list of searches keeps', () => {
  test('those with the text of a memory that was absorbed, until that is deleted', async () => {
    const { storeTwice, search, erase, queries } = await world()
    const text = "I don't eat meat"
    await search(text)
    const { absorbed } = await storeTwice('I do not eat meat', text)
    expect((await queries()).toSorted()).toEqual([text, 'green tea'])
    await erase(absorbed)
    expect(await queries()).toEqual(['green tea'])
  })

  test('those with the text of a memory that expired, until that is deleted', async () => {
    const { storeExpired, store, search, erase, queries } = await world()
    await search(SECRET)
    const id = await storeExpired(SECRET)
    // It leaves the index as another memory takes its text.
    await store(SECRET)
    expect((await queries()).toSorted()).toEqual([SECRET, 'green tea'])
    await erase(id)
    expect(await queries()).toEqual(['green tea'])
  })
})
