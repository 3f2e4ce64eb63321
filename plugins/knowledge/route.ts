import { routesOf } from 'mneme/plugin'
import type { KnowledgeScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<KnowledgeScope>()

export const READ = { permission: 'knowledge.read' } as const
export const WRITE = { permission: 'knowledge.write' } as const
export const DELETE = { permission: 'knowledge.delete' } as const
