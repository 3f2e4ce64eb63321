import { expect, setSystemTime, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { buildMemoryMb, indexScan, NearIndexes } from './near-index.ts'

const HOUR_MS = 3_600_000

/** Stands for a server with so many vectors on which an index over them pays, and cannot be built. */
function serverWithoutRoom(rows = 0, memoryMb = 64) {
  const rowsOf = ([statement]: readonly string[]) => {
    if (statement?.includes('pgvector')) return [{ pgvector: '0.8.0', embedded: false }]
    if (statement?.includes('reltuples, 0')) return [{ rows }]
    if (statement?.includes('maintenance_work_mem')) return [{ mb: memoryMb }]
    if (statement?.includes('search.model')) return [{ model: 1, dimensions: 16 }]
    if (statement?.includes('across workspaces')) return [{ workspace_id: 'a' }]
    return statement?.includes('count(*) >=') ? [{ enough: true }] : []
  }
  const server = {
    builds: 0,
    askedMb: 0,
    system: async (work: (tx: typeof rowsOf) => unknown) => work(rowsOf),
    async maintain(statement: string, memoryMb = 0) {
      if (statement.startsWith('drop')) return
      server.builds++
      server.askedMb = memoryMb
      throw new Error('no room on the disk')
    },
  }
  return server
}

test('a failed build is told, and tried again after an hour, wherever the clock was put meanwhile', async () => {
  const server = serverWithoutRoom()
  let now = 0
  const database = server as unknown as Pick<Database, 'system' | 'maintain'>
  const indexes = await NearIndexes.open(database, 'embedding', { now: () => now })
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

test('a build asks for the memory that the vectors need, and at most for what is allowed, which is told', async () => {
  const build = async (rows: number, memoryMbMax: number, memoryMb?: number) => {
    const server = serverWithoutRoom(rows, memoryMb)
    const warnings: string[] = []
    const log = { info: () => undefined, warn: (_: object, line: string) => warnings.push(line) }
    const database = server as unknown as Pick<Database, 'system' | 'maintain'>
    const indexes = await NearIndexes.open(database, 'embedding', { memoryMbMax, log: log as never })
    await indexes.maintain()
    await indexes.built()
    return { askedMb: server.askedMb, warnings }
  }
  const neededMb = buildMemoryMb(1_000_000, 16)
  expect(neededMb).toBeGreaterThan(600)
  expect(await build(1_000_000, 2048)).toEqual({ askedMb: neededMb, warnings: [] })
  expect(await build(10, 2048)).toEqual({ askedMb: 512, warnings: [] })
  // The server gives more by itself than is asked for.
  expect((await build(1_000_000, 600, 4096)).warnings).toEqual([])
  const { askedMb, warnings } = await build(1_000_000, 600)
  expect(askedMb).toBe(600)
  expect(warnings.join()).toContain(`SEARCH_INDEX_MEMORY_MB=${neededMb}`)
})

test('the candidate list of a scan grows with the index, up to what pgvector allows', () => {
  const listOf = (rows: number, least?: number) => indexScan({ rows }, least)['hnsw.ef_search']
  expect([-1, 10_000, 60_000, 250_000, 300_000, 1_000_000].map(rows => listOf(rows))).toEqual([
    200, 200, 200, 834, 1000, 1000,
  ])
  expect([listOf(10_000, 300), listOf(250_000, 300)]).toEqual([300, 834])
})
