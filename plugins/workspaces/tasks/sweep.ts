import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { workspaceErasers } from '../contract.ts'
import type { WorkspacesScope } from '../scope.ts'
import { erasureOf } from './erase.ts'

/** By then every try of the job that should have removed them is over. */
const GIVEN_UP_MINUTES = 6 * 60

/** Ends answered in one run; the rest waits for the next. */
const ENDS_MAX = 1000

/** Orphans erased in one run; the rest waits for the next. */
const ORPHANS_MAX = 1000

/** Removes grants of workspaces that are gone, resumes removals of workspaces that were given up, and answers ends that still wait. */
export const sweepTask = tasksOf<WorkspacesScope>()({
  name: 'workspaces:sweep',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const { administration, database, jobs } = scope
    await database.system(async tx => {
      await administration.sweep(tx)
      const forgotten = await administration.ends.findForgotten(tx, GIVEN_UP_MINUTES)
      await jobs.enqueue(tx, forgotten.map(erasureOf))
    })
    await answerEnds(scope, signal)
  },
})

/** Looks through all tenant tables for rows of workspaces that do not exist, and erases what it finds. */
export const findOrphansTask = tasksOf<WorkspacesScope>()({
  name: 'workspaces:find-orphans',
  payload: Type.Object({}),
  async run({ scope: { administration, database, jobs, log }, signal }) {
    const orphans = await administration.ends.findOrphans(ORPHANS_MAX, signal)
    if (orphans.length === 0) return
    log.warn(
      { workspaces: orphans.slice(0, 10), count: orphans.length },
      'rows of removed workspaces were left; erasing them',
    )
    await database.system(tx => jobs.enqueue(tx, orphans.map(erasureOf)))
  },
})

/** Notes the loaded erasers, so that the end of a workspace waits for those that are switched off later. */
export async function rememberErasers({ administration, database, wiring }: WorkspacesScope): Promise<void> {
  const ids = wiring.extensions(workspaceErasers).map(({ id }) => id)
  if (ids.length > 0) await database.system(tx => administration.ends.rememberErasers(tx, ids))
}

/** Lets plugins answer ends that came while they were switched off, and removes what was written to the very last. */
async function answerEnds(scope: WorkspacesScope, signal: AbortSignal): Promise<void> {
  const { administration, database, log, wiring } = scope
  const { ends } = administration
  const erase = new Map(wiring.extensions(workspaceErasers).map(eraser => [eraser.id, eraser.erase.bind(eraser)]))
  erase.set(ends.rowsEraser, async workspaceId => {
    const rows = await ends.eraseRows(workspaceId, signal)
    if (rows > 0) log.warn({ workspace: workspaceId, rows }, 'rows were written after the end of their workspace')
  })
  for (const end of await database.system(tx => ends.pending(tx, [...erase.keys()], ENDS_MAX))) {
    signal.throwIfAborted()
    try {
      await erase.get(end.eraser)?.(end.workspaceId, signal)
      await database.system(tx => ends.acknowledge(tx, end))
    } catch (error) {
      // One that cannot answer now must not keep the others waiting; the next run asks it again.
      log.warn(
        { err: error, workspace: end.workspaceId, eraser: end.eraser },
        'the end of a workspace was not answered',
      )
    }
  }
}
