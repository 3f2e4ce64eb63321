import { routesOf } from 'mneme/plugin'
import type { ExportsScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<ExportsScope>()

export const READ = { permission: 'export.read' } as const
export const WRITE = { permission: 'export.write' } as const
