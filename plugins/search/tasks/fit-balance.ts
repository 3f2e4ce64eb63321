import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { fillQueries } from '../learning/fill-queries.ts'
import { dueWorkspaces } from '../learning/judged.ts'
import { learnBalance } from '../learning/learn-balance.ts'
import type { SearchScope } from '../scope.ts'

const task = tasksOf<SearchScope>()

/** Queues a job for each workspace with enough new signals; it runs every hour. */
export const findBalancesTask = task({
  name: 'search:find-balances',
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { learning, database, jobs }, signal }) {
    const due = await dueWorkspaces(database)
    const fits = due.map(workspace_id => ({
      task: 'search:fit-balance',
      payload: { workspace_id },
      key: `search:fit-balance:${workspace_id}`,
      // The key alone would let a fit start beside one that still runs.
      limit: { key: `search:fit-balance:${workspace_id}`, max: 1 },
      // The lowest priority lets everything that users wait for go first.
      priority: 10,
    }))
    if (fits.length > 0) await database.system(tx => jobs.enqueue(tx, fits))
    await fillQueries(learning, signal)
  },
})

/** Fits the balance of one workspace to its signals. */
export const fitBalanceTask = task({
  name: 'search:fit-balance',
  payload: Type.Object({ workspace_id: Type.String({ format: 'uuid' }) }),
  run: ({ payload, scope, signal }) => learnBalance(scope.learning, payload.workspace_id, signal),
})
