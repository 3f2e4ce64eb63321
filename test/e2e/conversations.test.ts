import { expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'
import { lapseLeases } from '../support/lapse.ts'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const KILLS = 3
const PATH = '/v1/memories/conversations'
/** A job that was interrupted waits a second longer each time. */
const JOBS_BACK_MS = 120_000
/** The text is long enough for several jobs. */
const MESSAGES = Array.from({ length: 300 }, (_, n) => ({
  role: 'user',
  content: `My locker ${n} is in hall ${n % 7}.`,
}))

test(`kill -9 while a conversation is read, ${KILLS} times: every fact is one memory`, async () => {
  const store = await preparedStore()
  let apiKey = ''
  let id = ''
  for (let round = 0; round < KILLS; round++) {
    const server = await startServer(store)
    apiKey ||= server.apiKey
    const client = server.client(apiKey)
    // A client that is not sure whether it arrived hands it in again.
    const { status, body } = await client.post(PATH, { messages: MESSAGES })
    expect(status).toBe(202)
    id ||= body.id
    expect(body.id).toBe(id)
    const mark = randomInt(round * 90, (round + 1) * 90)
    await until(
      'some memories are there',
      async () => (await client.get('/v1/memories')).body.total >= mark,
      JOBS_BACK_MS,
    )
    await server.kill()
    await lapseLeases(store)
  }
  const server = await startServer(store)
  const client = server.client(apiKey)
  const done = await until(
    'it is read to its end',
    async () => {
      const { body } = await client.get(`${PATH}/${id}`)
      return body.status === 'COMPLETED' && body
    },
    JOBS_BACK_MS,
  )
  expect(new Set(done.memories).size).toBe(MESSAGES.length)
  expect([done.memories_created, done.memories_known]).toEqual([MESSAGES.length, 0])
  expect((await client.get('/v1/memories')).body.total).toBe(MESSAGES.length)
  expect(await server.stop()).toBe(0)
}, 900_000)
