import { definePort } from '../ports.ts'
import type { CallerCache } from './authenticate.ts'
import type * as keys from './control/keys.ts'
import type * as workspaces from './control/workspaces.ts'
import type { TenantGate } from './directory.ts'

/**
 * What administers accounts' workspaces and API keys, which are rows of no workspace. A plugin that uses it lists the port in
 * its manifest's `uses`; no other gets it. Functions with a `tx` work in a transaction of `database.system`.
 */
export interface Administration {
  readonly workspaces: {
    readonly get: typeof workspaces.getWorkspace
    readonly find: typeof workspaces.findWorkspaces
    readonly list: typeof workspaces.listWorkspaces
    readonly insert: typeof workspaces.insertWorkspace
    readonly update: typeof workspaces.updateWorkspace
    readonly close: typeof workspaces.closeWorkspace
    readonly closedIds: typeof workspaces.closedWorkspaceIds
    readonly findForgotten: typeof workspaces.findForgotten
    readonly removeClosed: typeof workspaces.removeClosedWorkspace
    /** Removes the rows that a closed workspace has in tenant tables, in short transactions. @returns how many there were */
    eraseRows(workspaceId: string, signal: AbortSignal): Promise<number>
  }
  readonly keys: {
    readonly get: typeof keys.getKey
    readonly lock: typeof keys.lockKey
    readonly list: typeof keys.listKeys
    readonly insert: typeof keys.insertKey
    readonly update: typeof keys.updateKey
    readonly rotate: typeof keys.rotateKey
    readonly revoke: typeof keys.revokeKey
    readonly grantWorkspace: typeof keys.grantWorkspace
  }
  /** What this process remembers of callers and workspaces, to be forgotten when it has changed. */
  readonly remembered: CallerCache & { forgetWorkspace: TenantGate['forget'] }
  /** Removes console sessions whose time is over. */
  readonly sweepSessions: typeof import('./control/sweep.ts').sweepSessions
}

/** Bound by the kernel; only for plugins that list it in `uses`. */
export const administration = definePort<Administration>('core.administration')
