import { expect, setSystemTime, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { NearIndexes } from './near-index.ts'

const HOUR_MS = 3_600_000

/** Stands for a server on which an index over a model's vectors pays, and cannot be built. */
function serverWithoutRoom() {
  const rowsOf = ([statement]: readonly string[]) => {
    if (statement?.includes('pgvector')) return [{ pgvector: '0.8.0', embedded: false }]
    if (statement?.includes('search.model')) return [{ model: 1, dimensions: 16 }]
    if (statement?.includes('across workspaces')) return [{ workspace_id: 'a' }]
    return statement?.includes('count(*) >=') ? [{ enough: true }] : []
  }
  const server = {
    builds: 0,
    system: async (work: (tx: typeof rowsOf) => unknown) => work(rowsOf),
    async maintain() {
      server.builds++
      throw new Error('no room on the disk')
    },
  }
  return server
}

test('a failed build is told, and tried again after an hour, wherever the clock was put meanwhile', async () => {
  const server = serverWithoutRoom()
  let now = 0
  const database = server as unknown as Pick<Database, 'system' | 'maintain'>
  const indexes = await NearIndexes.open(database, 'embedding', undefined, () => now)
  const maintained = async () => {
    const failure = await indexes.maintain().catch((error: Error) => error.message)
    await indexes.built()
    return [failure, server.builds]
  }
  expect(await maintained()).toEqual([undefined, 1])
  setSystemTime(new Date(Date.now() + 2 * HOUR_MS))
  const told = await maintained().finally(() => setSystemTime())
  expect(told).toEqual(['a vector index could not be built; searches scan instead', 1])
  expect(await maintained()).toEqual([undefined, 1])
  now += HOUR_MS
  setSystemTime(new Date(Date.now() - 2 * HOUR_MS))
  const later = await maintained().finally(() => setSystemTime())
  expect(later).toEqual([undefined, 2])
})
