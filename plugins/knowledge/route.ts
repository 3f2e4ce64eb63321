import { type NamedRow, routesOf } from 'mneme/plugin'
import { failKnowledge } from './errors.ts'
import type { KnowledgeScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<KnowledgeScope>()

export const READ = { permission: 'knowledge.read' } as const
export const WRITE = { permission: 'knowledge.write' } as const
export const DELETE = { permission: 'knowledge.delete' } as const

/** An entry that a request names by its id, as keys that are bound to a user are held to their own. */
export const entryRow: NamedRow = {
  table: 'knowledge.entry',
  missing: () => failKnowledge('KNOWLEDGE_NOT_FOUND'),
}
