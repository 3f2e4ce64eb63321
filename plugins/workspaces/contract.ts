import { defineExtensionPoint } from 'mneme/plugin'

/**
 * A plugin's part in the removal of a workspace, for what it keeps outside of its tenant tables: files, documents of a
 * search engine. Rows of tenant tables need none: all of them are removed by workspace.
 */
export interface WorkspaceEraser {
  /** Unique, e.g. the plugin's id. */
  readonly id: string
  /**
   * Removes what the workspace has. Called once for the workspace and once for its test twin, when nobody reaches them any
   * more; called again after a failure, so it must be repeatable.
   */
  erase(workspaceId: string, signal: AbortSignal): Promise<void>
}

/** Read when a workspace is removed, in the order in which plugins are set up. */
export const workspaceErasers = defineExtensionPoint<WorkspaceEraser>('workspaces.erasers')
