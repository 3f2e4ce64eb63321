import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { idleService, service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { memoryWorld } from '../world.test-support.ts'
import { createBatchRoute } from './create-batch.ts'

const CREATED = expect.objectContaining({ status: 201 })

/** Generates distinct keys, each of which adds several entries to the index. */
function differentWords(seed: number, length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) text += `k${seed}x${(n * 7919 + 104_729).toString(36)} `
  return text
}

test('a batch is stored no further once its client is gone', async () => {
  const { scope, tenant, client } = await memoryWorld()
  const request = new Request('http://localhost/v1/memories/batch', { signal: AbortSignal.abort() })
  const input = { scope, tenant, request, body: { memories: [{ memory: 'never stored' }] }, idempotencySeed: 'a seed' }
  const handling = createBatchRoute.handle(input as unknown as Parameters<typeof createBatchRoute.handle>[0])
  expect(await Promise.resolve(handling).catch(error => error.code)).toBe('RATE_LIMITED')
  expect((await client.get('/v1/memories')).body.total).toBe(0)
})

describe('POST /v1/memories/batch', () => {
  test('puts the place of an item into the paths of its faults, and names the memory that has its text', async () => {
    const { client } = await (await idleService()).account()
    const { body } = await client.post('/v1/memories/batch', {
      memories: [
        { memory: 'first', user_id: 'ada' },
        { memory: ' ' },
        'no object',
        { memory: 'first ', user_id: 'bob' },
        { memory: 'second', colour: 'red' },
        { memory: 'third', layer: 'TASK', expires_at: '2001-01-01' },
        null,
      ],
    })
    const paths = body.results.map((result: Json) => result.error?.details?.map(({ path }: Json) => path))
    expect(paths).toEqual([
      undefined,
      ['memories.1.memory'],
      ['memories.2'],
      undefined,
      ['memories.4.colour'],
      ['memories.5.expires_at'],
      ['memories.6'],
    ])
    expect(body.results[3].error.message).toContain(body.results[0].memory.id)
    expect((await client.get('/v1/memories')).body.total).toBe(1)
  })

  test('stores items as single creations would', async () => {
    const { client } = await (await idleService()).account()
    const item = {
      memory: 'é "quoted" \\ {a,b}',
      user_id: 'ü',
      agent_id: 'a',
      session_id: 's',
      categories: ['a"b', 'c\\d,e'],
    }
    const categories = [...item.categories, ' c\\d,e ']
    const { body } = await client.post('/v1/memories/batch', {
      memories: [{ ...item, categories, metadata: { k: '\\u0000' } }],
    })
    const { memory } = body.results[0]
    const full = (await client.get(`/v1/memories/${memory.id}`)).body
    expect(full).toMatchObject({ ...item, metadata: { k: '\\u0000' }, layer: 'RAW', expires_at: null })
    expect(full.created_at).toBe(memory.created_at)
    const history = (await client.get(`/v1/memories/${memory.id}/history`)).body
    expect(history.data).toMatchObject([{ event: 'CREATED', old_content: null, new_content: item.memory }])
  })

  test('accepts 500 items', async () => {
    const { client } = await (await idleService()).account()
    const memories = Array.from({ length: 500 }, (_, n) => ({ memory: `item ${n}`, user_id: `u${n % 3}` }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    expect(body.results).toEqual(Array(500).fill(CREATED))
    expect(new Set(body.results.map((result: { memory: { memory: string } }) => result.memory.memory)).size).toBe(500)
  })

  // They are more than two jobs take.
  test('has all items processed', async () => {
    const { client } = await (await service()).account()
    const memories = Array.from({ length: 80 }, (_, n) => ({ memory: `item ${n}` }))
    await client.post('/v1/memories/batch', { memories })
    await until(
      'every memory is processed',
      async () => {
        const { data, total } = (await client.get('/v1/memories', { query: { page_size: 100 } })).body
        return total === 80 && data.every((memory: { status: string }) => memory.status === 'COMPLETED')
      },
      100_000,
    )
  }, 120_000)

  test('refuses a bare list', async () => {
    const { client } = await (await idleService()).account()
    expect((await client.post('/v1/memories/batch', [{ memory: 'a' }])).status).toBe(400)
  })

  test('batches with the same texts in opposite order neither deadlock nor store duplicates', async () => {
    const { client } = await (await idleService()).account()
    const memories = Array.from({ length: 60 }, (_, n) => ({ memory: `shared ${n}` }))
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        client.post('/v1/memories/batch', { memories: n % 2 ? memories : memories.toReversed() }),
      ),
    )
    expect(responses.map(response => response.status)).toEqual(Array(8).fill(207))
    const created = responses.flatMap(({ body }) => body.results).filter(result => result.status === 201)
    expect(created).toHaveLength(60)
    expect((await client.get('/v1/memories')).body.total).toBe(60)
  })

  test('stores very long texts of distinct words, and serves others meanwhile', async () => {
    const { client } = await (await idleService()).account()
    const memories = Array.from({ length: 15 }, (_, n) => ({ memory: differentWords(n, 49_000) }))
    let stored = false
    const batch = client.post('/v1/memories/batch', { memories }).finally(() => {
      stored = true
    })
    do {
      expect((await client.get('/v1/memories', { query: { page_size: 1 } })).status).toBe(200)
    } while (!stored)
    expect((await batch).body.results.map((result: { status: number }) => result.status)).toEqual(Array(15).fill(201))
  })

  test('an expired memory gives up its text to a batch too', async () => {
    const { database, account } = await idleService()
    const { client, workspaceId } = await account()
    await client.post('/v1/memories', { memory: 'again', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const { body } = await client.post('/v1/memories/batch', { memories: [{ memory: 'again' }, { memory: 'again' }] })
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 409])
  })
})
