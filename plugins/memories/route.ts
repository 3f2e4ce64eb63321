import { routesOf } from 'mneme/plugin'
import type { MemoriesScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<MemoriesScope>()

export const READ = { permission: 'memory.read' } as const
export const WRITE = { permission: 'memory.write' } as const
export const DELETE = { permission: 'memory.delete' } as const
export const ERASE = { permission: 'user.delete' } as const
