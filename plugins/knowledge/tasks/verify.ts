import { type Static, Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { findHidden } from '../named-memories.ts'
import { findSources } from '../queries/save.ts'
import type { KnowledgeScope } from '../scope.ts'
import { withdrawRemoved } from '../withdrawal.ts'

/** Memories that are looked up at once. */
const PAGE = 2_000
/** Pages of one job; the next one goes on where it ended. */
const PAGES_MAX = 20

export const VERIFY_TASK = 'knowledge:verify'

const payload = Type.Object({ after: Type.Optional(Type.Tuple([Type.String(), Type.String()])) })

/**
 * A safety net below the withdrawal: what rests on memories that are gone is taken out, and what is written by hand about absorbed ones names
 * their survivors, in case it happened while this plugin was switched off.
 */
export const verifyTask = tasksOf<KnowledgeScope>()({
  name: VERIFY_TASK,
  payload,
  async run({ payload: { after: start }, scope, signal }) {
    let after: Static<typeof payload>['after'] = start
    for (let page = 0; page < PAGES_MAX; page++) {
      signal.throwIfAborted()
      const sources = await scope.database.system(tx => findSources(tx, after, PAGE))
      await scope.quarantine.sweep({
        name: VERIFY_TASK,
        items: sources,
        workspaceOf: source => source.workspaceId,
        idOf: source => source.memoryId,
        signal,
        work: (workspaceId, own) =>
          withdrawMissing(
            scope,
            workspaceId,
            own.map(({ memoryId }) => memoryId),
          ),
      })
      const last = sources.at(-1)
      if (!last || sources.length < PAGE) return
      after = [last.workspaceId, last.memoryId]
    }
    const next = { task: VERIFY_TASK, key: VERIFY_TASK, payload: { after } }
    await scope.database.system(tx => scope.jobs.enqueue(tx, [next]))
  },
})

async function withdrawMissing(
  { database, wiring, events }: KnowledgeScope,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(memoryIds)]
  await database.workspace(workspaceId, async tx => {
    const { survivors, expired, unknown } = await findHidden(tx, wiring, ids)
    // Only memories that there were are noted as sources, so those that are not there were deleted.
    await withdrawRemoved(tx, events, workspaceId, [...expired, ...unknown], survivors)
  })
}
