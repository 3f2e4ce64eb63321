import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const CREATED = expect.objectContaining({ status: 201 })

/** Keys as a generator makes them: each makes several entries in the index. */
function differentWords(seed: number, length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) text += `k${seed}x${(n * 7919 + 104_729).toString(36)} `
  return text
}

describe('POST /v1/memories/batch', () => {
  test('answers each item in the order sent; bad ones never spoil the others', async () => {
    const { client } = await (await service()).account()
    await client.post('/v1/memories', { memory: 'known' })
    const { status, body } = await client.post('/v1/memories/batch', {
      memories: [
        { memory: 'first', user_id: 'ada', metadata: { a: [1, { b: null }] }, categories: [' x ', 'x'] },
        { memory: ' ' },
        { memory: 'known' },
        'no object',
        { content: 'second', priority: 'LOW' },
        { memory: 'first ', user_id: 'bob' },
        { memory: 'third', colour: 'red' },
        { memory: 'fourth', layer: 'TASK', expires_at: '2001-01-01' },
        null,
      ],
    })
    expect(status).toBe(207)
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([
      201, 400, 409, 400, 201, 409, 400, 400, 400,
    ])
    expect(body.results[0].memory).toMatchObject({
      memory: 'first',
      user_id: 'ada',
      metadata: { a: [1, { b: null }] },
      categories: ['x'],
      status: 'PENDING',
    })
    expect(body.results[4].memory).toMatchObject({ memory: 'second', priority: 'LOW', metadata: null })
    expect(body.results[1].error).toMatchObject({
      status_code: 400,
      error: 'Bad Request',
      error_code: 'VALIDATION_ERROR',
      details: [{ path: 'memories.1.memory' }],
    })
    expect(body.results[3].error.details[0].path).toBe('memories.3')
    expect(body.results[5].error.message).toContain(body.results[0].memory.id)
    expect(body.results[6].error.details[0].path).toBe('memories.6.colour')
    expect((await client.get('/v1/memories')).body.total).toBe(3)
  })

  test('stores items as creating one by one would', async () => {
    const { client } = await (await service()).account()
    const item = {
      memory: 'é "quoted" \\ {a,b}',
      user_id: 'ü',
      agent_id: 'a',
      session_id: 's',
      categories: ['a"b', 'c\\d,e'],
    }
    const { body } = await client.post('/v1/memories/batch', { memories: [{ ...item, metadata: { k: '\\u0000' } }] })
    const { memory } = body.results[0]
    const full = (await client.get(`/v1/memories/${memory.id}`)).body
    expect(full).toMatchObject({ ...item, metadata: { k: '\\u0000' }, layer: 'RAW', expires_at: null })
    expect(full.created_at).toBe(memory.created_at)
    const history = (await client.get(`/v1/memories/${memory.id}/history`)).body
    expect(history.data).toMatchObject([{ event: 'CREATED', old_content: null, new_content: item.memory }])
  })

  test('takes 500 items and processes all of them', async () => {
    const { client } = await (await service()).account()
    const memories = Array.from({ length: 500 }, (_, n) => ({ memory: `item ${n}`, user_id: `u${n % 3}` }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    expect(body.results).toEqual(Array(500).fill(CREATED))
    expect(new Set(body.results.map((result: { memory: { memory: string } }) => result.memory.memory)).size).toBe(500)
    await until(
      'every memory is processed',
      async () => {
        const pending = (await client.get('/v1/memories', { query: { page_size: 100 } })).body.data
        return pending.every((memory: { status: string }) => memory.status === 'COMPLETED')
      },
      100_000,
    )
  }, 120_000)

  test.each([
    ['no items', { memories: [] }],
    ['more than 500', { memories: Array(501).fill({ memory: 'a' }) }],
    ['no list', { memories: { memory: 'a' } }],
    ['a bare list', [{ memory: 'a' }]],
  ])('refuses %s', async (_, body) => {
    const { client } = await (await service()).account()
    expect((await client.post('/v1/memories/batch', body)).status).toBe(400)
  })

  test('batches with the same texts in opposite order neither deadlock nor double', async () => {
    const { client } = await (await service()).account()
    const memories = Array.from({ length: 60 }, (_, n) => ({ memory: `shared ${n}` }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        client.post('/v1/memories/batch', { memories: n % 2 ? memories : memories.toReversed() }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(207))
    const created = answers.flatMap(({ body }) => body.results).filter(result => result.status === 201)
    expect(created).toHaveLength(60)
    expect((await client.get('/v1/memories')).body.total).toBe(60)
  })

  test('stores very long texts of nothing but different words, and serves others meanwhile', async () => {
    const { client } = await (await service()).account()
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

  test('an expired holder of a text gives way in a batch too', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    await client.post('/v1/memories', { memory: 'again', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const { body } = await client.post('/v1/memories/batch', { memories: [{ memory: 'again' }, { memory: 'again' }] })
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 409])
  })

  test('needs memory.write', async () => {
    const reader = await (await (await service()).account()).key({ permissions: ['memory.read'] })
    expect((await reader.post('/v1/memories/batch', {})).body.error_code).toBe('FORBIDDEN')
  })
})
