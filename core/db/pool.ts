import { Duplex } from 'node:stream'
import pg from 'pg'
import type { Logger } from '../log.ts'
import { readAddress } from './address.ts'

/**
 * Makes a node-postgres pool for the libraries that need one (graphile-worker, Better Auth); all else uses postgres.js.
 * Throws AddressError.
 */
export function openPgPool(url: string, max: number, log: Logger): pg.Pool {
  const { applicationName, connectTimeoutSeconds, ...address } = readAddress(url)
  const pool = new pg.Pool({
    ...address,
    max,
    connectionTimeoutMillis: connectTimeoutSeconds * 1000,
    keepAlive: true,
    application_name: applicationName,
  })
  // Without these listeners a lost connection is an uncaught 'error' event and ends the process.
  const lost = (cause: Error) =>
    log.warn({ err: new ConnectionLost('Postgres', { cause }) }, 'database connection lost')
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', client => clients.add(client))
  pool.on('remove', client => clients.delete(client))
  connected.set(pool, clients)
  return pool
}

/** node-postgres gives no code; this is the SQLSTATE. */
class ConnectionLost extends Error {
  readonly code = '08006'
}

const connected = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

/** Cuts all connections of a pool off, with what is under way on them; the pool makes new ones. */
export function dropConnections(pool: pg.Pool): void {
  for (const client of connected.get(pool) ?? []) {
    const stream: unknown = Reflect.get(Object(Reflect.get(client, 'connection')), 'stream')
    if (stream instanceof Duplex) stream.destroy()
  }
}
