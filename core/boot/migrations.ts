import type { Database } from '../db/database.ts'
import { appliedTo, migrate, readMigrations } from '../db/migrate.ts'
import type { Storage } from '../db/storage.ts'
import { prepareQueue } from '../jobs/queue.ts'
import { type PluginSelection, schemaOf } from './select.ts'

const CORE_SQL = new URL('../../sql/', import.meta.url)

/**
 * Tells how far the core's part of a database has come: no server ever started on it, it lacks migrations, or it has all.
 */
export async function stateOf(database: Database): Promise<'empty' | 'older' | 'current'> {
  const files = await readMigrations('core', CORE_SQL)
  const applied = await appliedTo(database)
  if (applied === undefined) return 'empty'
  return files.every(({ name }) => applied.has(`core/${name}`)) ? 'current' : 'older'
}

/** Brings the queue's schema, the core's and every plugin's to the code's state. */
export async function migrateAll(storage: Storage, selection: PluginSelection): Promise<number> {
  // The queue brings its own migrations, safe against other servers, and the core's refer to it.
  await prepareQueue(storage.pool)
  const schemas = selection.loaded.map(plugin => schemaOf(plugin, selection))
  const files = [await readMigrations('core', CORE_SQL)]
  for (const plugin of selection.loaded) {
    if (plugin.migrations) files.push(await readMigrations(schemaOf(plugin, selection), plugin.migrations))
  }
  return migrate(storage.database, ['core', ...schemas], files.flat())
}
