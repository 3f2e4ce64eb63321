import type { Caller, Tenant, Workspace } from './caller.ts'

/** Finds workspaces. What it says may be up to 5 seconds old. */
export interface TenantDirectory {
  /** The workspace, or undefined when there is none with this id. */
  find(workspaceId: string): Promise<Workspace | undefined>
  /** The workspace for background work; throws when it does not exist (any more). */
  tenant(workspaceId: string): Promise<Tenant>
}

/** Decides as well who may work on a workspace; for the gate of requests alone. */
export interface TenantGate extends TenantDirectory {
  /** The workspace, if a recent look-up found it; for where the database cannot be asked, as inside a transaction. */
  known(workspaceId: string): Workspace | undefined
  /**
   * The workspace a request works on. Without `requested` the caller's own. A test caller that names a live workspace
   * gets its twin. Throws WORKSPACE_NOT_FOUND or WORKSPACE_ACCESS_DENIED.
   */
  select(caller: Caller, requested?: string): Promise<Tenant>
  /** Makes the next look-up of this workspace read the database. */
  forget(workspaceId: string): void
}
