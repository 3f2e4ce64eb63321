import { type Caller, fail, routesOf } from 'mneme/plugin'
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
