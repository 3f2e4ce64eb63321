/**
 * Measures how long a revoked key goes on working on two servers of one database, each of which has it in memory: at most 5 s.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/revocation.ts --keys 20
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ServerProcess } from '../test/support/process.ts'
import { percentile, report } from './support/measure.ts'
import { endBench, requireNativeServer, startBenchService } from './support/service.ts'

const { values } = parseArgs({ options: { keys: { type: 'string', default: '20' } } })
/** Between two uses of a key. */
const PAUSE_MS = 20
const WAIT_MS_MAX = 30_000

requireNativeServer()
const service = await startBenchService('native')
const { server: one } = service
const two = await service.restart()
const session = await one.client('').signIn(one.email, one.password)
const workspaceId = (await session.get('/v1/workspaces')).body.data[0].id
const times: Record<'one' | 'two', number[]> = { one: [], two: [] }
for (let n = 0; n < Number(values.keys); n++) {
  const made = await session.post('/v1/api-keys', {
    name: `revoked ${n}`,
    workspace_id: workspaceId,
    permissions: ['memory.read'],
  })
  const { id, key } = made.body
  await Promise.all([isTaken(one, key), isTaken(two, key)])
  await session.delete(`/v1/api-keys/${id}`)
  const from = performance.now()
  const [onOne, onTwo] = await Promise.all([one, two].map(server => refusedAfter(server, key, from)))
  times.one.push(onOne ?? Number.NaN)
  times.two.push(onTwo ?? Number.NaN)
}
await Promise.all([one.stop(), two.stop()])
report('refused by the server that revoked it after, most', Math.max(...times.one), 'ms', 'at most 5000')
report('refused by the other server after, p50', percentile(times.two, 0.5), 'ms')
report('refused by the other server after, most', Math.max(...times.two), 'ms', 'at most 5000')
await endBench()

async function isTaken(server: ServerProcess, key: string): Promise<boolean> {
  return (await server.client(key).get('/v1/memories')).status === 200
}

/** @returns milliseconds from the revocation to the first refusal, counted from the beginning of the last use that was served */
async function refusedAfter(server: ServerProcess, key: string, from: number): Promise<number> {
  let lastServed = 0
  for (;;) {
    const began = performance.now() - from
    if (!(await isTaken(server, key))) return lastServed
    lastServed = began
    if (began > WAIT_MS_MAX) throw new Error('the key is not refused')
    await pause(PAUSE_MS)
  }
}
