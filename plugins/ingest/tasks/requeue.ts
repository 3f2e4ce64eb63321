import { Type, tasksOf } from 'mneme/plugin'
import type { IngestScope } from '../scope.ts'
import { advanceJobOf } from './advance.ts'

const task = tasksOf<IngestScope>()
const NAME = 'ingest:requeue'
const WORKSPACES_MAX = 200

/** A safety net below the jobs, which are added with the uploads: workspaces with something due get one. */
export const requeueTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, work, jobs }, signal }) {
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => work.dueWorkspaces(tx, WORKSPACES_MAX)),
      workspaceOf: workspaceId => workspaceId,
      signal,
      work: workspaceId => database.workspace(workspaceId, tx => jobs.enqueue(tx, [advanceJobOf(workspaceId)])),
    })
  },
})
