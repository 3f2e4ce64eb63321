import { migrate, readMigrations } from '../db/migrate.ts'
import type { Storage } from '../db/storage.ts'
import { prepareQueue } from '../jobs/queue.ts'
import type { AnyPlugin } from '../plugin.ts'

const CORE_SQL = new URL('../../sql/', import.meta.url)

/** Brings the queue's schema, the core's and every plugin's to the code's state. */
export async function migrateAll(storage: Storage, plugins: readonly AnyPlugin[]): Promise<number> {
  // The queue brings its own migrations, safe against other servers, and the core's refer to it.
  await prepareQueue(storage.pool)
  const owners = ['core', ...plugins.map(plugin => plugin.id)]
  const files = [await readMigrations('core', CORE_SQL)]
  for (const plugin of plugins) if (plugin.migrations) files.push(await readMigrations(plugin.id, plugin.migrations))
  return migrate(storage.database, owners, files.flat())
}
