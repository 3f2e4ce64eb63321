import { type NamedRow, routesOf } from 'mneme/plugin'
import { failExport } from './errors.ts'
import type { ExportsScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<ExportsScope>()

export const READ = { permission: 'export.read' } as const
export const WRITE = { permission: 'export.write' } as const

/** An export that a request names by its id, as keys that are bound to a user are held to their own. */
export const exportRow: NamedRow = {
  table: 'exports.export',
  missing: () => failExport('EXPORT_NOT_FOUND'),
}
