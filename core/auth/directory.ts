import type { Caller, Tenant, Workspace } from './caller.ts'

/** Finds workspaces. Its results may be up to 5 seconds old. */
export interface TenantDirectory {
  /** Finds the workspace; undefined when there is none with this id. */
  find(workspaceId: string): Promise<Workspace | undefined>
  /** Finds the workspace for background work; throws when it does not exist (any more). */
  tenant(workspaceId: string): Promise<Tenant>
}

/** Decides as well who may work on a workspace, for the gate of requests alone. */
export interface TenantGate extends TenantDirectory {
  /**
   * Returns the workspace if a recent look-up found it, for places where the database cannot be asked, as inside a
   * transaction.
   */
  known(workspaceId: string): Workspace | undefined
  /**
   * Selects the workspace that a request works on: without `requested` the caller's own. A test caller that names a
   * live workspace gets its twin. Throws WORKSPACE_NOT_FOUND or WORKSPACE_ACCESS_DENIED.
   */
  select(caller: Caller, requested?: string): Promise<Tenant>
  /** Makes the next look-up of this workspace, and of others of its account, read the database. */
  forget(workspaceId: string): void
}
