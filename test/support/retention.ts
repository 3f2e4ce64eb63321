import type { TObject } from '@sinclair/typebox'
import type { Workspace } from '../../core/auth/caller.ts'
import type { Database } from '../../core/db/database.ts'
import { databaseTime } from '../../core/db/database-time.ts'
import { createLog } from '../../core/log.ts'
import { eraseTypes, type Plugin } from '../../core/plugin.ts'
import { purgeWorkspace } from '../../core/retention/purge.ts'
import { type MountedRetention, mountRetention, type Retention } from '../../core/retention/retention.ts'

/** Removes expired rows from a workspace, as the kernel does every hour. `settings` are the workspace's. */
export async function purge(
  database: Database,
  retentions: readonly MountedRetention[],
  workspaceId: string,
  settings: Workspace['settings'] = {},
): Promise<void> {
  const directory = { find: async () => ({ settings }) as Workspace }
  const parts = { database, directory, log: createLog('silent') }
  const { signal } = new AbortController()
  const now = await databaseTime(database)
  for (const mounted of retentions) {
    while (await purgeWorkspace(parts, mounted, workspaceId, now, signal)) {
      // Runs until nothing is left of it.
    }
  }
}

/** Mounts a plugin's retentions with a scope and settings of the test's. */
export function mounted(
  retentions: readonly Retention[] | undefined,
  { scope, config = {} }: { scope?: unknown; config?: object } = {},
): MountedRetention[] {
  return (retentions ?? []).map(retention => mountRetention({ id: 'test', scope }, retention, config))
}

/** Finds those of a plugin. */
export function retentionsOf<C extends TObject, S>(
  plugin: Plugin<C, S>,
  parts: { scope?: S; config?: object } = {},
): MountedRetention[] {
  return mounted(eraseTypes(plugin).retention, parts)
}
