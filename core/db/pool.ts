import pg from 'pg'
import type { Logger } from '../log.ts'

/**
 * Makes a node-postgres pool for the libraries that need one (graphile-worker, Better Auth); all else uses postgres.js.
 */
export function openPgPool(url: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: 'mneme',
  })
  // Without these listeners a lost connection is an uncaught 'error' event and ends the process.
  pool.on('error', error => log.warn({ err: error }, 'database connection lost'))
  pool.on('connect', client => client.on('error', error => log.warn({ err: error }, 'database connection lost')))
  return pool
}
