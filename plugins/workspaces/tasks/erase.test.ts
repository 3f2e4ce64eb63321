import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Database } from 'mneme/plugin'
import type { WorkspaceEraser } from '../contract.ts'
import { eraseTask, erasureOf } from './erase.ts'
import { addRow, closedWorkspace, type ErasureWorld, erasureWorld, rowsOf, tables } from './erasure.test-support.ts'
import { findOrphansTask, rememberErasers, sweepTask } from './sweep.ts'

const { signal } = new AbortController()

type Run = typeof eraseTask.run
const input = (scope: unknown, payload: unknown): never =>
  ({ payload, scope, attempt: 1, maxAttempts: 5, signal }) as never
const run = (task: { run: Run }, { scope }: ErasureWorld, payload: unknown = {}) => task.run(input(scope, payload))

/** Runs the job that erases a workspace, and those it adds, to the end. */
async function erase(world: ErasureWorld, id: string): Promise<void> {
  for (let job = erasureOf(id) as { payload: unknown } | undefined; job; job = world.jobs.shift()) {
    await run(eraseTask, world, job.payload)
  }
}

describe('the end of a workspace', () => {
  test('leaves no row in any tenant table, of its twin neither, and touches no other', async () => {
    const { doomed, kept } = await closedWorkspace()
    const before = await rowsOf(kept)
    expect(await rowsOf(doomed)).toBe(before)
    expect(before).toBeGreaterThan(60)
    await erase(await erasureWorld(), doomed[0])
    expect(await rowsOf(doomed)).toBe(0)
    expect(await rowsOf(kept)).toBe(before)
  })

  test('comes to it wherever the process dies in between', async () => {
    const { database } = await tables()
    const counting = dyingAfter(database, Number.POSITIVE_INFINITY)
    await erase(await erasureWorld({ database: counting }), (await closedWorkspace()).doomed[0])
    const total = counting.done()
    const { doomed } = await closedWorkspace()
    let deaths = 0
    // Every attempt does more transactions than the one before, and repeats what that did: one more at the beginning and at the end, which
    // differ, and several more in between, where one table comes after the other.
    for (let transactions = 0; ; transactions += transactions < 10 || transactions > total - 25 ? 1 : 9) {
      const world = await erasureWorld({ database: dyingAfter(database, transactions) })
      try {
        await erase(world, doomed[0])
        break
      } catch (error) {
        expect(error).toMatchObject({ message: 'the process died' })
        deaths++
      }
    }
    expect(deaths).toBeGreaterThan(10)
    expect(await rowsOf(doomed)).toBe(0)
  })

  test('is not that of a workspace in use', async () => {
    const { kept } = await closedWorkspace()
    const before = await rowsOf(kept)
    await erase(await erasureWorld(), kept[0])
    expect(await rowsOf(kept)).toBe(before)
  })

  test('takes what is written afterwards, an hour later', async () => {
    const { database } = await tables()
    const { doomed } = await closedWorkspace()
    const world = await erasureWorld()
    await erase(world, doomed[0])
    await database.system(tx => addRow(tx, 'memories.memory', doomed[0]))
    await run(sweepTask, world)
    expect(await rowsOf(doomed)).toBe(1)
    await letAnHourPass(database)
    await run(sweepTask, world)
    expect(await rowsOf(doomed)).toBe(0)
    expect(await pending(database, doomed)).toEqual([])
  })
})

describe('plugins that answer the end of a workspace', () => {
  test('are asked about it and about its twin, and those that are switched off when they are back', async () => {
    const { database } = await tables()
    const { doomed } = await closedWorkspace()
    const [here, away] = [recorder(), recorder()]
    await rememberErasers((await erasureWorld({ erasers: [here, away] })).scope)
    const without = await erasureWorld({ erasers: [here] })
    await erase(without, doomed[0])
    expect(new Set(here.asked)).toEqual(new Set(doomed))
    await run(sweepTask, without)
    expect(away.asked).toEqual([])
    expect(await pending(database, doomed)).toContain(away.id)

    await run(sweepTask, await erasureWorld({ erasers: [here, away] }))
    expect(new Set(away.asked)).toEqual(new Set(doomed))
    expect(await pending(database, doomed)).not.toContain(away.id)
  })

  test('do not keep each other waiting, and are asked again when they failed', async () => {
    const { doomed } = await closedWorkspace()
    const [failing, other] = [recorder({ failures: 1 }), recorder()]
    await rememberErasers((await erasureWorld({ erasers: [failing, other] })).scope)
    await erase(await erasureWorld(), doomed[0])
    const world = await erasureWorld({ erasers: [failing, other] })
    await run(sweepTask, world)
    expect([failing.asked.length, other.asked.length]).toEqual([1, 2])
    await run(sweepTask, world)
    expect([failing.asked.length, other.asked.length]).toEqual([2, 2])
  })
})

describe('rows of workspaces that nobody has', () => {
  test('are found in whichever table, and erased', async () => {
    const { database, names } = await tables()
    const { kept } = await closedWorkspace()
    const before = await rowsOf(kept)
    const orphans = names.map(() => randomUUID())
    await database.system(async tx => {
      for (const [n, name] of names.entries()) await addRow(tx, name, orphans[n] ?? '')
    })
    const world = await erasureWorld()
    await run(findOrphansTask, world)
    const found = world.jobs.splice(0).map(job => job.payload.workspace_id)
    expect(found.toSorted()).toEqual(orphans.toSorted())
    for (const id of found) await erase(world, String(id))
    expect(await rowsOf(orphans)).toBe(0)
    expect(await rowsOf(kept)).toBe(before)
    await run(findOrphansTask, world)
    expect(world.jobs).toEqual([])
  })
})

/** A database whose process ends before the transaction after the first `transactions`; `done` counts them. */
function dyingAfter(database: Database, transactions: number): Database & { done(): number } {
  let done = 0
  return {
    ...database,
    done: () => done,
    async system(work) {
      if (done === transactions) throw new Error('the process died')
      done++
      return database.system(work)
    },
  }
}

function recorder({ failures = 0 } = {}): WorkspaceEraser & { asked: string[] } {
  let left = failures
  const asked: string[] = []
  return {
    id: `recorder-${randomUUID()}`,
    asked,
    async erase(workspaceId) {
      if (left-- > 0) throw new Error('away')
      asked.push(workspaceId)
    },
  }
}

async function pending(database: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await database.system(
    tx => tx<{ eraser: string; id: string }[]>`
      select workspace_end.eraser, workspace_end.ended_workspace as id from core.workspace_end`,
  )
  return rows.filter(({ id }) => ids.includes(id)).map(({ eraser }) => eraser)
}

async function letAnHourPass(database: Database): Promise<void> {
  await database.system(tx => tx`update core.workspace_end set ended_at = ended_at - interval '61 minutes'`)
}
