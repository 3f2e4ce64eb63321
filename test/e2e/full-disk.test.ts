import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Client, ClientResponse } from '../support/client.ts'
import { NATIVE_URL } from '../support/database.ts'
import { runToEnd, startServer } from '../support/process.ts'
import { type SmallDisk, smallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'

/** The disks are small enough to be filled; where none can be mounted there is nothing to test on. */
const tiny = NATIVE_URL ? undefined : await smallDisk(20)
const small = NATIVE_URL ? undefined : await smallDisk(80)

/** Writes much text that cannot be compressed, so that the log of the database grows quickly. */
function post(client: Client): Promise<ClientResponse> {
  return client.post('/v1/memories', { memory: randomBytes(22_000).toString('hex') })
}

function withDisk(disk: SmallDisk | undefined, what: string, run: (disk: SmallDisk) => Promise<void>): void {
  if (disk) test(what, () => run(disk), 300_000)
}

withDisk(tiny, 'a start on a disk that is too small says so in one sentence and ends with 1', async ({ folder }) => {
  const { code, stderr } = await runToEnd('server/main.ts', { PORT: '0', DATA_DIR: `${folder}/data` })
  expect(stderr.trim()).toBe(
    `Mneme cannot start: the disk that DATA_DIR (${folder}/data) lies on is full. Make room, or set DATA_DIR to another place.`,
  )
  expect(code).toBe(1)
})

withDisk(small, 'a disk that fills while the server runs: 503, and on it goes once there is room', async disk => {
  const server = await startServer({ DATA_DIR: `${disk.folder}/data` })
  const client = server.client()
  const kept = (await client.post('/v1/memories', { memory: 'The disk was empty once.' })).body.id
  await disk.fill(8 * 1024 * 1024)
  const refused = await until(
    'the database finds no room',
    async () => {
      const response = await post(client)
      return response.status !== 201 && (await client.get('/ready')).status === 503 && response
    },
    240_000,
  )
  expect(refused.body).toEqual({
    status_code: 503,
    error: 'Service Unavailable',
    message: 'The service is temporarily unavailable; retry shortly.',
    error_code: 'SERVICE_UNAVAILABLE',
  })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await client.get('/health')).status).toBe(200)
  const { body } = await until('it says why', async () => {
    const ready = await client.get('/ready')
    return ready.body.details?.database && ready
  })
  expect([body.checks.database, body.details.database]).toEqual(['failed', { fault: 'its disk is full: make room' }])
  expect(server.stderr()).toContain(`the disk that DATA_DIR (${disk.folder}/data) lies on is full`)
  // All jobs and chores fail because of it, and the log tells that in a few lines.
  expect(server.stderr().trim().split('\n').length).toBeLessThan(40)
  await disk.empty()
  await until('there is room again', async () => (await post(client)).status === 201)
  expect((await client.get(`/v1/memories/${kept}`)).body.memory).toBe('The disk was empty once.')
  expect(await server.stop()).toBe(0)
})
