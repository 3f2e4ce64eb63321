import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { dueWorkspaces, learnBalance } from '../learning/learn-balance.ts'
import { fillQueries } from '../learning/listener.ts'
import type { SearchScope } from '../scope.ts'

const task = tasksOf<SearchScope>()

const FIT = 'search:fit-balance'

/** Queues a job for each workspace with enough new signals; it runs every hour. */
export const findBalancesTask = task({
  name: 'search:find-balances',
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { learning, database, jobs }, signal }) {
    const { quarantine } = learning
    await quarantine.sweep({
      name: FIT,
      items: await dueWorkspaces(database, quarantine, FIT),
      workspaceOf: workspaceId => workspaceId,
      signal,
      work: workspaceId => database.workspace(workspaceId, tx => jobs.enqueue(tx, [fitJob(workspaceId)])),
    })
    await fillQueries(learning, signal)
  },
})

function fitJob(workspaceId: string): NewJob {
  return {
    task: FIT,
    payload: { workspace_id: workspaceId },
    key: `${FIT}:${workspaceId}`,
    // The key alone would let a fit start beside one that still runs.
    limit: { key: `${FIT}:${workspaceId}`, max: 1 },
    // The lowest priority lets everything that users wait for go first.
    priority: 10,
  }
}

/** Fits the balance of one workspace to its signals. */
export const fitBalanceTask = task({
  name: FIT,
  payload: Type.Object({ workspace_id: Type.String({ format: 'uuid' }) }),
  run: ({ payload, scope, signal }) => learnBalance(scope.learning, payload.workspace_id, signal),
})
