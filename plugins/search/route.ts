import { routesOf } from 'mneme/plugin'
import type { SearchScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<SearchScope>()

export const READ = { permission: 'memory.read' } as const
