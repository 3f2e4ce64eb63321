import { routesOf } from 'mneme/plugin'
import type { WorkspacesScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<WorkspacesScope>()

export const READ = { permission: 'workspace.read' } as const
export const WRITE = { permission: 'workspace.write' } as const
export const DELETE = { permission: 'workspace.delete' } as const
