import { Type } from '@sinclair/typebox'
import { defineExtensionPoint, defineSetting } from 'mneme/plugin'

/**
 * A plugin's answer to the end of a workspace, for what it keeps outside of its tenant tables: files, documents of a search
 * engine. Rows of tenant tables need none: the kernel removes all of them by workspace, in batches, also those of plugins that
 * are switched off. A plugin that is switched off when a workspace ends is asked when it is back.
 */
export interface WorkspaceEraser {
  /** Unique and the same for ever, e.g. the plugin's id; `core` is taken. */
  readonly id: string
  /**
   * Removes what the workspace has. Called for the workspace and for its test twin when nobody reaches them any more, and again
   * some seconds later and after a failure, so it must be repeatable; also for ids that nothing is known of.
   */
  erase(workspaceId: string, signal: AbortSignal): Promise<void>
}

/** Read when a workspace is removed, in the order in which plugins are set up. */
export const workspaceErasers = defineExtensionPoint<WorkspaceEraser>('workspaces.erasers')

/** The number of requests in a period that the dashboard judges by. */
export const requestsTarget = defineSetting({
  key: 'targets.requests',
  schema: Type.Integer({
    minimum: 0,
    // Beyond any use, and exact in JSON.
    maximum: 1_000_000_000_000,
    description: 'Requests to aim at in a period.',
  }),
})
