import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import type { WorkspacesScope } from '../scope.ts'
import { erasureOf } from './erase.ts'

/** By then every try of the job that should have removed them is over. */
const GIVEN_UP_MINUTES = 6 * 60

/** Removes sessions that are over, and takes up removals of workspaces that were given up. */
export const sweepTask = tasksOf<WorkspacesScope>()({
  name: 'workspaces:sweep',
  payload: Type.Object({}),
  async run({ scope: { administration, database, jobs } }) {
    await database.system(async tx => {
      await administration.sweepSessions(tx)
      const forgotten = await administration.workspaces.findForgotten(tx, GIVEN_UP_MINUTES)
      await jobs.enqueue(tx, forgotten.map(erasureOf))
    })
  },
})
