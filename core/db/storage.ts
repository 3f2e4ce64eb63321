import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { vacuumChangedTables } from './autovacuum.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { startEmbedded } from './embedded/index.ts'
import { openPgPool } from './pool.ts'

/** The Postgres behind the service, whichever it is, with both drivers' pools. */
export interface Storage {
  readonly kind: 'embedded' | 'server'
  /** For people: never with credentials. */
  readonly description: string
  readonly url: string
  readonly database: OpenDatabase
  readonly pool: pg.Pool
  /** Housekeeping that a server does by itself; present for the embedded database only. */
  maintain?(): Promise<void>
  close(): Promise<void>
}

export interface StorageOptions {
  databaseUrl: string | undefined
  dataDir: string
  poolSize: number
  log: Logger
  /** The embedded database died for good; the process should end so that its supervisor starts it again. */
  onFatal(error: Error): void
}

export async function openStorage({ databaseUrl, dataDir, poolSize, log, onFatal }: StorageOptions): Promise<Storage> {
  if (databaseUrl) {
    const { host, pathname } = new URL(databaseUrl)
    return { kind: 'server', description: `Postgres at ${host}${pathname}`, ...openPools(databaseUrl, poolSize, log) }
  }
  await mkdir(dataDir, { recursive: true })
  const folder = join(dataDir, 'postgres')
  const embedded = await startEmbedded({ folder })
  embedded.onFatal(onFatal)
  const pools = openPools(embedded.url, poolSize, log)
  return {
    kind: 'embedded',
    description: `embedded Postgres in ${folder}`,
    ...pools,
    async maintain() {
      await vacuumChangedTables(pools.pool)
    },
    async close() {
      await pools.close()
      await embedded.stop()
    },
  }
}

function openPools(url: string, poolSize: number, log: Logger) {
  const database = openDatabase({ url, poolSize })
  const pool = openPgPool(url, Math.max(4, Math.ceil(poolSize / 2)), log)
  return {
    url,
    database,
    pool,
    async close() {
      await Promise.all([database.close(), pool.end()])
    },
  }
}
