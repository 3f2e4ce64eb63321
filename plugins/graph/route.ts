import { type NamedRow, routesOf } from 'mneme/plugin'
import { failGraph } from './errors.ts'
import type { GraphScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<GraphScope>()

export const READ = { permission: 'memory.read' } as const

/** An entity that a request names by its id, as keys that are bound to a user are held to their own. */
export const entityRow: NamedRow = {
  table: 'graph.entity',
  missing: () => failGraph('ENTITY_NOT_FOUND'),
}
