import { type Caller, fail, type NamedRow, routesOf } from 'mneme/plugin'
import { failIngest } from './errors.ts'
import type { IngestScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<IngestScope>()

export const READ = { permission: 'ingest.read' } as const
export const WRITE = { permission: 'ingest.write' } as const

/**
 * Throws for a caller without the permission to delete memories.
 * @throws FORBIDDEN
 */
export function requireMemoryDelete({ permissions }: Caller): void {
  if (permissions === 'all' || permissions.has('memory.delete')) return
  throw fail('FORBIDDEN', { message: 'Deleting memories needs the permission memory.delete.' })
}

/** A job that a request names by its id, as keys that are bound to a user are held to their own. */
export const jobRow: NamedRow = {
  table: 'ingest.job',
  missing: () => failIngest('INGEST_JOB_NOT_FOUND'),
}
