import { routesOf } from 'mneme/plugin'
import type { DashboardScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<DashboardScope>()

export const READ = { permission: 'dashboard.read' } as const
