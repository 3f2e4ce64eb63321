import { backlogOf, backlogSources, DAY_MS, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { memoryClearing, userErasers } from '../memories/contract.ts'
import { clearImports } from './clear-imports.ts'
import { createUserEraser } from './erase-user.ts'
import { exportErrors } from './errors.ts'
import { exportEvents } from './events.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { FILE_DAYS } from './job.ts'
import { createExportRoute } from './routes/create-export.ts'
import { createImportRoute } from './routes/create-import.ts'
import { deleteExportRoute } from './routes/delete-export.ts'
import { downloadExportRoute } from './routes/download-export.ts'
import { getExportRoute } from './routes/get-export.ts'
import { getImportRoute } from './routes/get-import.ts'
import { listExportsRoute } from './routes/list-exports.ts'
import { listImportsRoute } from './routes/list-imports.ts'
import { type ExportsScope, FEATURE } from './scope.ts'
import { importTask } from './tasks/import.ts'
import { removeTask } from './tasks/remove.ts'
import { requeueTask } from './tasks/requeue.ts'
import { writeTask } from './tasks/write.ts'

/** An export that has expired is listed for so long, and an import for as long. */
const LISTED_MS = 30 * DAY_MS

/** The import of an expired row has ended, or is gone. */
const NOT_UNDER_WAY = `not exists (
  select
  from exports.import
  where import.workspace_id = item.workspace_id
    and import.id = item.import_id
    and import.status in ('PENDING', 'PROCESSING')
)`

/** Takes everything out of a workspace, in a form that restores without loss, and in. */
export const exportsPlugin = definePlugin({
  id: 'exports',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  feature: FEATURE,
  features: [{ name: FEATURE, description: 'Exports and imports.', plans: ['scale'] }],
  permissions: [
    {
      name: 'Export',
      permissions: {
        'export.read': 'List and download exports, and list imports.',
        'export.write': 'Create and delete exports, and create imports.',
      },
    },
  ],
  migrations: new URL('./sql/', import.meta.url),
  errors: exportErrors,
  emits: exportEvents,
  routes: [
    createExportRoute,
    listExportsRoute,
    getExportRoute,
    deleteExportRoute,
    downloadExportRoute,
    createImportRoute,
    listImportsRoute,
    getImportRoute,
  ],
  tasks: [writeTask, importTask, removeTask, requeueTask],
  cron: [{ schedule: '*/5 * * * *', task: 'exports:requeue' }],
  subscriptions: [forgetDeleted],
  retention: [
    {
      table: 'exports.export_piece',
      column: 'created_at',
      keepMs: FILE_DAYS * DAY_MS,
      // A file expires so long after its last piece was written.
      where: `not exists (
        select
        from exports.export
        where export.workspace_id = item.workspace_id
          and export.id = item.export_id
          and export.status <> 'FAILED'
          and (export.expires_at is null or export.expires_at > now())
      )`,
    },
    {
      table: 'exports.noted_deletion',
      column: 'export_id',
      columnType: 'uuidv7',
      // Once a run is over, nobody reads what was noted for it.
      keepMs: 0,
      where: `not exists (
        select
        from exports.export
        where export.workspace_id = item.workspace_id
          and export.id = item.export_id
          and export.status = 'PROCESSING'
          and export.run = item.run
      )`,
    },
    { table: 'exports.export', column: 'created_at', keepMs: FILE_DAYS * DAY_MS + LISTED_MS },
    {
      table: 'exports.import_piece',
      column: 'created_at',
      keepMs: FILE_DAYS * DAY_MS,
      where: NOT_UNDER_WAY,
    },
    {
      table: 'exports.import_memory',
      column: 'import_id',
      columnType: 'uuidv7',
      keepMs: FILE_DAYS * DAY_MS,
      where: NOT_UNDER_WAY,
    },
    {
      table: 'exports.import_holder',
      column: 'import_id',
      columnType: 'uuidv7',
      keepMs: FILE_DAYS * DAY_MS,
      where: NOT_UNDER_WAY,
    },
    { table: 'exports.import', column: 'updated_at', keepMs: LISTED_MS },
  ],
  subjects: [
    {
      table: 'exports.export',
      column: 'user_id',
      parts: ['exports.export_piece', 'exports.noted_deletion'].map(table => ({ table, column: 'export_id' })),
    },
    // One that is under way leaves out what is the user's, and has others to store.
    {
      table: 'exports.import',
      column: 'user_id',
      where: "item.status in ('COMPLETED', 'FAILED')",
      parts: ['exports.import_piece', 'exports.import_memory', 'exports.import_holder'].map(table => ({
        table,
        column: 'import_id',
      })),
    },
  ],
  setup({ database, tenants, events, jobs, quarantine, wiring, log }) {
    const scope: ExportsScope = { database, tenants, events, jobs, quarantine, wiring, log }
    return {
      scope,
      extensions: [
        extend(memoryClearing, clearImports),
        extend(userErasers, createUserEraser(jobs)),
        extend(backlogSources, backlogOf({ kind: 'exports', table: 'exports.export', since: 'created_at' })),
        extend(
          backlogSources,
          backlogOf({
            kind: 'imports',
            table: 'exports.import',
            since: 'created_at',
            // No endpoint shows what is still being uploaded.
            open: "item.status in ('PENDING', 'PROCESSING', 'FAILED')",
          }),
        ),
      ],
    }
  },
})
