import { Type, tasksOf } from 'mneme/plugin'
import { beginWriting, failWriting } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'
import { writeExport } from '../writing/write-export.ts'

/**
 * An export keeps one connection for all that it reads and asks for a second one to write. As many at once as there are
 * connections would wait for one another for ever.
 */
const AT_ONCE = 2

/** Some millions of memories, at a thousand a second and less, fit into it. */
const TIME_LIMIT_MS = 6 * 3_600_000

/** Writes an export's file, or what is missing of it. Only the last run counts. */
export const writeTask = tasksOf<ExportsScope>()({
  name: 'exports:write',
  payload: Type.Object({ workspace_id: Type.String(), export_id: Type.String() }),
  maxAttempts: 3,
  timeLimitMs: TIME_LIMIT_MS,
  perProcessMax: AT_ONCE,
  async run({ payload: { workspace_id: workspaceId, export_id: id }, scope, signal }) {
    const tenant = await scope.tenants.tenant(workspaceId)
    const target = await tenant.transaction(tx => beginWriting(tx, workspaceId, id))
    if (target) await writeExport(scope, tenant, target, signal)
  },
  async exhausted({ payload: { workspace_id: workspaceId, export_id: id }, scope }, error) {
    scope.log.error({ err: error, export: id }, 'an export could not be written')
    await scope.database.workspace(workspaceId, tx =>
      failWriting(tx, workspaceId, id, 'The export could not be written. Try again; the server’s log says why.'),
    )
  },
})
