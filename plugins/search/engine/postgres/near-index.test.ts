import { expect, setSystemTime, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { buildMemoryMb, NearIndexes } from './near-index.ts'

const HOUR_MS = 3_600_000

/** Stands for a server with so many vectors on which an index over them pays, and cannot be built. */
function serverWithoutRoom(rows = 0) {
  const rowsOf = ([statement]: readonly string[]) => {
    if (statement?.includes('pgvector')) return [{ pgvector: '0.8.0', embedded: false }]
    if (statement?.includes('reltuples, 0')) return [{ rows }]
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
  const build = async (rows: number, memoryMbMax: number) => {
    const server = serverWithoutRoom(rows)
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
  const { askedMb, warnings } = await build(1_000_000, 600)
  expect(askedMb).toBe(600)
  expect(warnings.join()).toContain(`SEARCH_INDEX_MEMORY_MB=${neededMb}`)
})
