import { expect, test } from 'bun:test'
import pg from 'pg'
import { databaseUrl } from '../../test/support/database.ts'
import { releasingOnce } from './worker-pool.ts'

test('a wait for a connection that was in vain leaves nothing to release', async () => {
  const pool = new pg.Pool({ connectionString: await databaseUrl(), max: 1, connectionTimeoutMillis: 20_000 })
  const only = await pool.connect()
  // Jobs that wait from now on wait in vain, and not for long.
  pool.options.connectionTimeoutMillis = 20
  const failure = await new Promise<Error | undefined>(resolve => {
    releasingOnce(pool).connect((error, _client, release) => {
      release()
      resolve(error)
    })
  })
  expect(failure?.message).toContain('timeout exceeded')
  only.release()
  await pool.end()
})
