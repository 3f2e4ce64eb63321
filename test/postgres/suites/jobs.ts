import { expect, test } from 'bun:test'
import { Logger, run, runMigrations } from 'graphile-worker'
import { signal, useClients, within } from '../clients.ts'

const pollIntervalMs = 10_000
const silent = new Logger(() => () => {})

export function jobSuite(url: () => string): void {
  const open = useClients(url)

  test('graphile-worker runs 45 jobs, each once, and starts on a notification', async () => {
    const pgPool = open.pool(6)
    const sql = open.sql({ max: 4 })
    await runMigrations({ pgPool, logger: silent })
    const runs: number[] = []
    const waiting = new Map<number, () => void>()
    const started = (i: number) => {
      const done = signal()
      waiting.set(i, done.resolve)
      return done.promise
    }
    const noop = async (payload: unknown) => {
      const i = typeof payload === 'object' && payload !== null && 'i' in payload ? Number(payload.i) : -1
      runs.push(i)
      waiting.get(i)?.()
    }
    const add = (i: number) => sql`select graphile_worker.add_job('noop', json_build_object('i', ${i}::int))`
    const runner = await run({
      pgPool,
      concurrency: 4,
      noHandleSignals: true,
      pollInterval: pollIntervalMs,
      logger: silent,
      taskList: { noop },
    })
    try {
      const latencies: number[] = []
      // The first job may wait for the runner's start; those after it are told by NOTIFY.
      for (let i = 0; i < 5; i++) {
        const begun = started(i)
        const at = performance.now()
        await add(i)
        await within(15_000, begun)
        if (i > 0) latencies.push(performance.now() - at)
      }
      const rest = Array.from({ length: 40 }, (_, i) => started(i + 5))
      await Promise.all(Array.from({ length: 40 }, (_, i) => add(i + 5)))
      await within(20_000, Promise.all(rest))
      expect(runs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, i) => i))
      expect(Math.max(...latencies)).toBeLessThan(pollIntervalMs / 4)
    } finally {
      await runner.stop()
    }
  }, 120_000)

  test('a job added in a transaction that rolls back does not exist', async () => {
    const sql = open.sql({ max: 1 })
    await sql
      .begin(async tx => {
        await tx`select graphile_worker.add_job('undone')`
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await sql`select 1 from graphile_worker.jobs where task_identifier = 'undone'`).toHaveLength(0)
  })
}
