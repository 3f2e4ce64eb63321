import { type Caller, routesOf, type Tx } from 'mneme/plugin'
import type { WorkspacesScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<WorkspacesScope>()

/** Runs work in a transaction of the system for the caller, whose account has one at a time. */
export function asCaller<T>(
  { database }: Pick<WorkspacesScope, 'database'>,
  { id, accountId }: Caller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.system(work, { holder: accountId, actor: id })
}

export const READ = { permission: 'workspace.read' } as const
export const WRITE = { permission: 'workspace.write' } as const
export const DELETE = { permission: 'workspace.delete' } as const
