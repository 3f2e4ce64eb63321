import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { freezeOldTables, lacksRoom, startEmbedded, vacuumChangedTables } from 'served-pglite'
import type { Logger } from '../log.ts'
import { readAddress } from './address.ts'
import { APP_ROLE } from './app-role.ts'
import { type OpenDatabase, openDatabase, type RequestLogin } from './database.ts'
import { dropConnections, openPgPool } from './pool.ts'
import { type WatchdogOptions, watchDatabase } from './watchdog.ts'

/** The Postgres behind the service, whichever it is, with both drivers' pools. */
export interface Storage {
  readonly kind: 'embedded' | 'server'
  /** Describes the database to people, never with credentials. */
  readonly description: string
  readonly url: string
  readonly database: OpenDatabase
  readonly pool: pg.Pool
  /** For the queue of jobs: on the embedded database its commits are not brought to the disk by themselves. */
  readonly queuePool: pg.Pool
  /** Housekeeping that a server does by itself; present for the embedded database only. */
  maintain?(): Promise<void>
  /** The disk of the embedded database is full, so that it cannot write its log. */
  lacksRoom?(): boolean
  /** Has the thread of the embedded database collect its garbage. */
  collectGarbage?(): void
  close(): Promise<void>
}

export interface StorageOptions {
  databaseUrl: string | undefined
  /**
   * Requests log in here, under a role that never was the owner. Only beside `databaseUrl`: embedded it is always so.
   */
  requestUrl?: string | undefined
  dataDir: string
  poolSize: number
  log: Logger
  /** A module whose `collectGarbage` the thread of the embedded database calls, where the runtime does not collect in time. */
  collector?: URL | undefined
  /** For tests. */
  watchdog?: Pick<WatchdogOptions, 'everyMs' | 'vanishedMs'>
  /** The embedded database died for good; the process should end so that its supervisor starts it again. */
  onFatal(error: Error): void
}

export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { databaseUrl, requestUrl, dataDir, poolSize, log, onFatal } = options
  if (databaseUrl) {
    const { host, port, database } = readAddress(databaseUrl)
    const request = requestUrl === undefined ? undefined : { url: requestUrl, fixed: false }
    const pools = openPools({ url: databaseUrl, request, poolSize, log })
    const drop = async () => {
      dropConnections(pools.pool)
      await pools.database.renew()
    }
    const endWatch = watchDatabase({ url: databaseUrl, log, drop, ...options.watchdog })
    return {
      kind: 'server',
      description: `Postgres at ${host}:${port}/${database}`,
      ...pools,
      queuePool: pools.pool,
      async close() {
        await Promise.all([endWatch(), pools.close()])
      },
    }
  }
  await mkdir(dataDir, { recursive: true })
  const folder = join(dataDir, 'postgres')
  const embedded = await startEmbedded({ folder, requestRole: APP_ROLE, collector: options.collector })
  embedded.onFatal(onFatal)
  const lacks = () => lacksRoom(dataDir)
  let toldAt = Number.NEGATIVE_INFINITY
  embedded.onCrash(error => {
    // It starts again and again until there is room.
    if (performance.now() - toldAt < CRASH_TOLD_MS) return
    toldAt = performance.now()
    log.error(lacks() ? `the disk that DATA_DIR (${dataDir}) lies on is full: make room` : error.message)
  })
  const request = { url: embedded.requestUrl, fixed: true }
  const pools = openPools({ url: embedded.url, request, poolSize, log })
  const queuePool = openPgPool(embedded.queueUrl, queueConnections(poolSize), log)
  return {
    kind: 'embedded',
    description: `embedded Postgres in ${folder}`,
    ...pools,
    queuePool,
    async maintain() {
      await vacuumChangedTables(pools.pool)
      await freezeOldTables(pools.pool)
    },
    lacksRoom: lacks,
    collectGarbage: () => embedded.collectGarbage(),
    async close() {
      await Promise.all([pools.close(), queuePool.end()])
      await embedded.stop()
    },
  }
}

const CRASH_TOLD_MS = 60_000

interface Pools {
  readonly url: string
  readonly request: RequestLogin | undefined
  readonly poolSize: number
  readonly log: Logger
}

function queueConnections(poolSize: number): number {
  return Math.max(4, Math.ceil(poolSize / 2))
}

function openPools({ url, request, poolSize, log }: Pools) {
  const database = openDatabase({ url, poolSize, ...(request ? { request } : {}) })
  const pool = openPgPool(url, queueConnections(poolSize), log)
  return {
    url,
    database,
    pool,
    async close() {
      await Promise.all([database.close(), pool.end()])
    },
  }
}
