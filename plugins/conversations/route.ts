import { routesOf } from 'mneme/plugin'
import type { ConversationsScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<ConversationsScope>()

export const READ = { permission: 'memory.read' } as const
export const WRITE = { permission: 'memory.write' } as const
