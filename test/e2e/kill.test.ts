import { expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'
import { lapseLeases } from '../support/lapse.ts'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'
import { newWriting, readProcessed, write } from './writers.ts'

/** A start takes seconds of processor time, and `test/postgres/kill` kills the embedded database by itself. */
const KILLS = 10
const WRITERS = 8
/** A round still writes so many when the kill comes, and they are few enough to be processed within the test. */
const WRITES_EACH = 6

test(`kill -9 under concurrent writes, ${KILLS} times: nothing acknowledged is lost, stuck or doubled`, async () => {
  const store = await preparedStore()
  const writing = newWriting()
  let apiKey = ''
  for (let round = 0; round < KILLS; round++) {
    const server = await startServer(store)
    apiKey ||= server.apiKey
    const writers = write(server.client(apiKey), writing, WRITERS, WRITES_EACH)
    // The kill comes at any moment between the first write and the last.
    const mark = writing.acknowledged.length + randomInt(1, (WRITERS * WRITES_EACH) / 2)
    await until('some are written', async () => writing.acknowledged.length >= mark || server.hasEnded())
    await server.kill()
    await writers
  }
  expect(writing.refused).toEqual([])
  expect(writing.acknowledged.length).toBeGreaterThan(KILLS * 5)

  await lapseLeases(store)
  const server = await startServer(store)
  const client = server.client(apiKey)
  const stored = await readProcessed(client, 240_000)
  const byId = new Map(stored.map(({ id, memory }) => [id, memory]))
  expect(writing.acknowledged.filter(({ id, text }) => byId.get(id) !== text)).toEqual([])
  expect(new Set(stored.map(({ memory }) => memory)).size).toBe(stored.length)

  // A writer without a response sends the request again with the same key: there is one memory, and the response names
  // its id.
  for (const { text, key } of writing.unacknowledged) {
    const again = await client.post('/v1/memories', { memory: text }, { headers: { 'idempotency-key': key } })
    expect([201, 409]).toContain(again.status)
    if (again.status === 201 && byId.size > 0) byId.set(again.body.id, text)
  }
  const after = await readProcessed(client, 240_000)
  const wanted = [...writing.acknowledged, ...writing.unacknowledged].map(({ text }) => text)
  expect(after.map(({ memory }) => memory).toSorted()).toEqual(wanted.toSorted())

  // Nothing was done twice: a sample of the histories holds one event each, and each is found once.
  for (const { id, text } of writing.acknowledged.filter((_, n) => n % 40 === 0)) {
    expect((await client.get(`/v1/memories/${id}/history`)).body.total).toBe(1)
    const found = await client.get('/v1/memories', { query: { search: text, mode: 'semantic', page_size: 1 } })
    expect(found.body.data[0]?.id).toBe(id)
  }
  expect(await server.stop()).toBe(0)
}, 900_000)
