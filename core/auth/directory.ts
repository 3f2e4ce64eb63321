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
  /**
   * Makes the next look-ups of an account's workspaces read the database, for use after a change of one: a twin has the plan of its live
   * workspace, and all tell the plan of the account, which is that of its first.
   */
  forgetWorkspaces(accountId: string): void
}
