import { Type, tasksOf } from 'mneme/plugin'
import type { IngestScope } from '../scope.ts'
import { advanceJobOf, fetchJobOf } from './jobs.ts'

const task = tasksOf<IngestScope>()
const NAME = 'ingest:requeue'
const WORKSPACES_MAX = 200

/** A safety net below the jobs, which are added with the uploads: workspaces with something due get one. */
export const requeueTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, work, fetches, jobs }, signal }) {
    const items = await database.system(async tx => [
      ...(await work.dueWorkspaces(tx, WORKSPACES_MAX)).map(id => ({ workspaceId: id, job: advanceJobOf(id) })),
      ...(await fetches.dueWorkspaces(tx, WORKSPACES_MAX)).map(id => ({ workspaceId: id, job: fetchJobOf(id) })),
    ])
    await quarantine.sweep({
      name: NAME,
      items,
      workspaceOf: ({ workspaceId }) => workspaceId,
      signal,
      work: (workspaceId, due) =>
        database.workspace(workspaceId, tx =>
          jobs.enqueue(
            tx,
            due.map(({ job }) => job),
          ),
        ),
    })
  },
})
