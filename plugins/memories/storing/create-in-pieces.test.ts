import { describe, expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import type { CreateResult } from '../contract.ts'
import { jobOf, memoryWorld } from '../world.test-support.ts'
import { createMemory } from './create.ts'
import { createInPieces } from './create-in-pieces.ts'
import { isRepetition, repeatableIds } from './repeatable-ids.ts'

const source = 'API' as const
const long = (n: number) => ({ text: `text ${n} ${'word '.repeat(6000)}`, source })

/** The options of a request whose client waits for the response. */
const present = (seed?: string) => ({ seed, gone: new AbortController().signal })

function died(): never {
  throw new Error('the process died')
}

/** A tenant that counts its transactions, and to which something happens before the one after `count`: its process dies. */
function counting(tenant: Tenant, count = Number.POSITIVE_INFINITY, happens: () => void = died) {
  const begun = { transactions: 0 }
  const counted: Tenant = {
    ...tenant,
    transaction(work, options) {
      if (++begun.transactions > count) happens()
      return tenant.transaction(work, options)
    },
  }
  return { counted, begun }
}

const ids = (results: readonly CreateResult[]) =>
  results.map(result => ('created' in result ? `created ${result.created.id}` : Object.keys(result)[0]))

describe('many memories', () => {
  test('are stored in pieces of bounded rows and characters, with results in the order given', async () => {
    const { scope, tenant, client, enqueued } = await memoryWorld()
    const { counted, begun } = counting(tenant)
    const short = Array.from({ length: 120 }, (_, n) => ({ text: `short ${n}`, source }))
    const given = [...short, long(1), long(2), long(3), { text: 'short 3', source }, { text: 'last', source }]
    const results = await createInPieces(scope, counted, given, present())
    // 50, 50, 20 and one long one, two long ones and two short ones.
    expect(begun.transactions).toBe(4)
    const created = results.map(result => 'created' in result && result.created.text)
    expect(created.slice(0, 123)).toEqual(given.slice(0, 123).map(({ text }) => text))
    expect(results[123]).toMatchObject({
      duplicateOf: results[3] && 'created' in results[3] ? results[3].created.id : '',
    })
    expect(created[124]).toBe('last')
    expect((await client.get('/v1/memories')).body.total).toBe(124)
    // The rest of the batch is processed after ordinary memories, whichever piece it came in.
    expect(enqueued.map(({ priority }) => priority).toSorted()).toEqual([0, 1, 1, 1, 1, 1, 3, 3, 3])
  })

  test('that were stored before the process died are told as created by a repetition, once and with their ids', async () => {
    const { scope, tenant, client } = await memoryWorld()
    const given = [1, 2, 3, 4, 5].map(long)
    given.push({ text: 'known', source })
    const [known] = await createInPieces(scope, tenant, [{ text: 'known', source }], present('another request'))
    const first = createInPieces(scope, counting(tenant, 2).counted, given, present('caller key fingerprint'))
    expect(await first.catch(error => error.message)).toBe('the process died')
    const before: string[] = (await client.get('/v1/memories')).body.data.map(({ id }: { id: string }) => id)
    expect(before).toHaveLength(5)
    const results = await createInPieces(scope, tenant, given, present('caller key fingerprint'))
    expect(results.slice(0, 5).every(result => 'created' in result)).toBe(true)
    expect(results[5]).toMatchObject({ duplicateOf: known && 'created' in known ? known.created.id : '' })
    for (const id of ids(results).slice(0, 4)) expect(before.map(each => `created ${each}`)).toContain(id ?? '')
    expect((await client.get('/v1/memories')).body.total).toBe(6)
    // And again, as often as anybody likes.
    expect(ids(await createInPieces(scope, tenant, given, present('caller key fingerprint')))).toEqual(ids(results))
    // Another request with the same texts is told who has them.
    const other = await createInPieces(scope, tenant, given, present('caller key2 fingerprint'))
    expect(other.every(result => 'duplicateOf' in result)).toBe(true)
  })
})

test('those left are not stored when the client goes away, and a repetition stores them', async () => {
  const { scope, tenant, client } = await memoryWorld()
  const given = [1, 2, 3, 4, 5, 6].map(long)
  const leaving = new AbortController()
  const request = { seed: 'caller key fingerprint', gone: leaving.signal }
  const { counted, begun } = counting(tenant, 1, () => leaving.abort())
  const code = await createInPieces(scope, counted, given, request).catch(error => error.code)
  // The second piece, of two texts, was under way.
  expect([code, begun.transactions, (await client.get('/v1/memories')).body.total]).toEqual(['RATE_LIMITED', 2, 4])
  const results = await createInPieces(scope, tenant, given, present(request.seed))
  expect(results.every(result => 'created' in result)).toBe(true)
  expect((await client.get('/v1/memories')).body.total).toBe(6)
})

test('those that were merged since are told as created by a repetition, and not stored once more', async () => {
  const { scope, tenant, client } = await memoryWorld()
  const given = ['I like tea', 'I like tea!', 'I like tea!', 'I like jam'].map(text => ({ text, source }))
  const first = await createInPieces(scope, tenant, given, present('caller key fingerprint'))
  const [survivor, absorbed] = first.map(result => ('created' in result ? result.created : undefined))
  if (!survivor || !absorbed) throw new Error('both are stored')
  for (const memory of [survivor, absorbed]) await scope.process(jobOf(memory))
  const merged = (await client.get(`/v1/memories/${absorbed.id}`)).body
  expect([merged.consolidated_into, (await client.get('/v1/memories')).body.total]).toEqual([survivor.id, 2])
  const again = await createInPieces(scope, tenant, given, present('caller key fingerprint'))
  expect([ids(again), again[2]]).toEqual([ids(first), { duplicateOf: absorbed.id }])
  expect((await client.get('/v1/memories')).body.total).toBe(2)
  // To another request its text is free.
  const [other] = await createInPieces(scope, tenant, [{ text: 'I like tea!', source }], present('another request'))
  expect(other).toHaveProperty('created')
})

test('one memory that was stored before the process died is told as created by a repetition alone', async () => {
  const { scope, tenant, client } = await memoryWorld()
  const given = { text: 'Ada keeps bees', source }
  const first = await createMemory(scope, tenant, given, 'caller key fingerprint')
  const again = await createMemory(scope, tenant, given, 'caller key fingerprint')
  expect(again).toEqual(first)
  expect((await client.get('/v1/memories')).body.total).toBe(1)
  for (const seed of ['caller key2 fingerprint', undefined]) {
    const refused = await createMemory(scope, tenant, given, seed).catch(error => error.code)
    expect(refused).toBe('DUPLICATE_MEMORY')
  }
})

test('one memory that was merged since is told as created by a repetition', async () => {
  const { scope, tenant, client, create } = await memoryWorld()
  const survivor = await create({ text: 'Ada keeps bees' })
  const given = { text: 'Ada keeps bees!', source }
  const first = await createMemory(scope, tenant, given, 'caller key fingerprint')
  for (const memory of [survivor, first]) await scope.process(jobOf(memory))
  const again = await createMemory(scope, tenant, given, 'caller key fingerprint')
  expect([again.id, again.consolidatedInto]).toEqual([first.id, survivor.id])
  expect((await client.get('/v1/memories')).body.total).toBe(1)
})

test('ids of a repetition differ in their time only, and ascend with their place', async () => {
  const first = repeatableIds('seed', 500)
  const second = repeatableIds('seed', 500)
  expect(first.every((id, place) => isRepetition(id, second[place] ?? ''))).toBe(true)
  expect(first.toSorted()).toEqual(first)
  expect(new Set(first.map(id => id.slice(13))).size).toBe(500)
  const others = [...repeatableIds('seed2', 500), ...first.slice(1)]
  expect(others.some(id => isRepetition(id, first[0] ?? ''))).toBe(false)
  expect(first[7]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
