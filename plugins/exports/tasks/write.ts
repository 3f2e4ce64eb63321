import { HOUR_MS, snoozeFor, Type, tasksOf } from 'mneme/plugin'
import { EXPORT_BYTES_KEPT_MAX, EXPORT_GB_KEPT_MAX } from '../limits.ts'
import { keptBytes } from '../queries/exports.ts'
import { beginWriting } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'
import { giveUp } from '../writing/give-up.ts'
import { writeExport } from '../writing/write-export.ts'

/**
 * An export keeps one connection for all that it reads and asks for a second one to write. As many at once as there are
 * connections would wait for one another for ever.
 */
const AT_ONCE = 2

/** The memories take a run for each state that is read, all that follows them takes one. */
const TIME_LIMIT_MS = 3 * HOUR_MS

const NO_ROOM = `The exports that are kept have ${EXPORT_GB_KEPT_MAX} GB together. Delete one and try again.`

/** Writes an export's file, or what is missing of it. Only the last run counts. */
export const writeTask = tasksOf<ExportsScope>()({
  name: 'exports:write',
  payload: Type.Object({ workspace_id: Type.String(), export_id: Type.String() }),
  maxAttempts: 3,
  timeLimitMs: TIME_LIMIT_MS,
  perProcessMax: AT_ONCE,
  async run({ payload: { workspace_id: workspaceId, export_id: id }, scope, signal }) {
    const tenant = await scope.tenants.tenant(workspaceId)
    const target = await tenant.transaction(async tx => {
      const begun = await beginWriting(tx, workspaceId, id)
      // Exports are asked for before it is known how large those before them become, and several are written in turn.
      if (!begun || begun.size !== null || (await keptBytes(tx, workspaceId, id)) < EXPORT_BYTES_KEPT_MAX) return begun
      await giveUp(tx, scope, workspaceId, id, NO_ROOM)
      return undefined
    })
    if (!target) return
    const outcome = await writeExport(scope, tenant, target, signal)
    if (outcome === 'unfinished') return snoozeFor(0, { progressed: true })
  },
  async exhausted({ payload: { workspace_id: workspaceId, export_id: id }, scope }, error) {
    scope.log.error({ err: error, export: id }, 'an export could not be written')
    await scope.database.workspace(workspaceId, tx =>
      giveUp(tx, scope, workspaceId, id, 'The export could not be written. Try again; the server’s log says why.'),
    )
  },
})
