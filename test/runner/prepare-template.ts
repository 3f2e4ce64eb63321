/**
 * Makes the database that every test file of a run copies: all migrations of the built-in plugins, no rows.
 *
 *   bun test/runner/prepare-template.ts native NAME      a database of the server at TEST_DATABASE_URL, distributed where that is CITUS_URL
 *   bun test/runner/prepare-template.ts embedded FOLDER  the folder of a closed embedded database
 *
 * It is a process of its own, so that the runner stays small and loads nothing of the product.
 */

import { startEmbedded } from 'served-pglite'
import { migrateAll } from '../../core/boot/migrations.ts'
import { plan } from '../../core/boot/plan.ts'
import { openStorage, type Storage } from '../../core/db/storage.ts'
import { createLog } from '../../core/log.ts'
import { distribute } from '../../server/distribute.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { copyBlankDatabase } from '../kit/blank-database.ts'
import { closeCluster, createCluster, createDatabase } from '../kit/native-server.ts'

const [kind, place = ''] = process.argv.slice(2)
if (kind === 'native') await prepareNative(process.env.TEST_DATABASE_URL ?? '', place)
else await prepareEmbedded(place)
process.exit()

async function prepareNative(serverUrl: string, name: string): Promise<void> {
  if (serverUrl !== process.env.CITUS_URL) return migrateAt(await createDatabase(serverUrl, name))
  await migrateAt(await createCluster(serverUrl, name), async storage => {
    await storage.pool.query('alter role mneme_app login')
    const { stderr } = await distribute(storage, () => undefined)
    if (stderr) throw new Error(stderr)
  })
  await closeCluster(serverUrl, name)
}

async function prepareEmbedded(folder: string): Promise<void> {
  await copyBlankDatabase(folder)
  const embedded = await startEmbedded({ folder })
  await migrateAt(embedded.url)
  await embedded.stop()
}

async function migrateAt(databaseUrl: string, finish?: (storage: Storage) => Promise<void>): Promise<void> {
  const { selection } = await plan({ environment: {}, builtIn: builtInPlugins, loadThirdParty: async () => [] })
  const log = createLog('silent')
  const storage = await openStorage({ databaseUrl, dataDir: '', poolSize: 2, log, onFatal: () => undefined })
  await migrateAll(storage, selection)
  await finish?.(storage)
  await storage.close()
}
