import { routesOf } from 'mneme/plugin'
import type { GraphScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<GraphScope>()

export const READ = { permission: 'memory.read' } as const
