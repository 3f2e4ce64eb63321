import { Type, tasksOf } from 'mneme/plugin'
import type { IngestScope } from '../scope.ts'
import { advanceJobOf } from './advance.ts'

const task = tasksOf<IngestScope>()
const WORKSPACES_MAX = 200

/** A safety net below the jobs, which are added with the uploads: workspaces with something due get one. */
export const requeueTask = task({
  name: 'ingest:requeue',
  payload: Type.Object({}),
  async run({ scope }) {
    await scope.database.system(async tx => {
      const workspaces = await scope.work.dueWorkspaces(tx, WORKSPACES_MAX)
      await scope.jobs.enqueue(tx, workspaces.map(advanceJobOf))
    })
  },
})
