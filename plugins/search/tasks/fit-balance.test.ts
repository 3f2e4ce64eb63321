import { describe, expect, test } from 'bun:test'
import type { NewJob } from 'mneme/plugin'
import { v7 } from 'uuid'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { createLog } from '../../../core/log.ts'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { idleService } from '../../../test/support/service.ts'
import { registerWorkspace } from '../../../test/support/workspace.ts'
import { storedVectorType } from '../engine/postgres/embeddings.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { readBalance } from '../learning/balance-store.ts'
import { NEW_SIGNALS_MIN } from '../learning/learn-balance.ts'
import { learningServices, steady } from '../learning/services.test-support.ts'
import { findBalancesTask, fitBalanceTask } from './fit-balance.ts'

async function world() {
  const { database } = await idleService()
  const vectorType = await storedVectorType(database)
  const log = createLog('silent')
  const engine = await openPostgresEngine(database)
  const learning = learningServices({ database, engine, vectorType, embedder: steady, log })
  const enqueued: NewJob[] = []
  const jobs = { enqueue: async (_: unknown, added: readonly NewJob[]) => void enqueued.push(...added) }
  const run = (task: typeof findBalancesTask, payload: object = {}, queue: object = jobs) =>
    task.run({
      payload,
      scope: { learning, database, jobs: queue },
      attempt: 1,
      maxAttempts: 5,
      signal: new AbortController().signal,
    } as never)
  const signalled = async (count: number, fields = { positive: 1, negative: 0 }) => {
    const workspaceId = v7()
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into search.feedback (
          workspace_id, query_hash, memory_id, positive, negative, neutral, last_signal, last_signal_at
        )
        select
          ${workspaceId}, 'q' || n, gen_random_uuid(), ${fields.positive}, ${fields.negative}, 0, 'POSITIVE', now()
        from generate_series(1, ${count}::integer) as n`,
    )
    return workspaceId
  }
  return { database, run, enqueued, signalled }
}

describe('search:find-balances', () => {
  test('gives each workspace with enough new signals one job of its own', async () => {
    const { run, enqueued, signalled, database } = await world()
    const due = await signalled(NEW_SIGNALS_MIN)
    const others = [
      await signalled(NEW_SIGNALS_MIN - 1),
      await signalled(NEW_SIGNALS_MIN, { positive: 2, negative: 2 }),
    ]
    await run(findBalancesTask)
    const mine = () => enqueued.filter(({ payload }) => [due, ...others].includes(String(payload.workspace_id)))
    expect(mine()).toEqual([
      {
        task: 'search:fit-balance',
        payload: { workspace_id: due },
        key: `search:fit-balance:${due}`,
        limit: { key: `search:fit-balance:${due}`, max: 1 },
        priority: 10,
      },
    ])
    await run(fitBalanceTask, { workspace_id: due })
    expect((await database.workspace(due, tx => readBalance(tx, due))).outcome).toBe('TOO_FEW')
    await run(findBalancesTask)
    expect(mine()).toHaveLength(1)
  })
  test('goes on with the others where the job of one workspace cannot be stored', async () => {
    const { run, signalled, database } = await world()
    const [bad, ...others] = [await signalled(NEW_SIGNALS_MIN), await signalled(NEW_SIGNALS_MIN)] as const
    await registerWorkspace(await idleService(), bad)
    await expectOneHeldBack({
      ...{ database, sweep: 'search:fit-balance', workspaceId: bad, bad: '', badDone: bad, others },
      ...{ table: 'graphile_worker._private_jobs', event: 'insert', where: { "payload ->> 'workspace_id'": bad } },
      run: () => run(findBalancesTask, {}, createJobQueue()),
      async done() {
        const rows = await database.system(
          tx => tx<{ id: string }[]>`
            select job.payload ->> 'workspace_id' as id
            from graphile_worker._private_jobs as job
            where job.payload ->> 'workspace_id' in ${tx([bad, ...others])}`,
        )
        return rows.map(({ id }) => id)
      },
    })
  })
})
