import { expect, test } from 'bun:test'
import { databaseUrl } from '../../test/support/database.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'
import { openPgPool } from './pool.ts'

const LIMITS = `select current_setting('idle_in_transaction_session_timeout') as idle, current_setting('tcp_keepalives_idle') as alive`

test('a transaction that waits for itself ends, and so does one whose host vanished', async () => {
  const url = await databaseUrl()
  const database = openDatabase({ url, poolSize: 1 })
  const pool = openPgPool(url, 1, createLog('silent'))
  // The embedded database ends such transactions after a second, by itself, and its clients are in this process.
  const limits = (await database.isConcurrent()) ? { idle: '2min', alive: '30' } : { idle: '0', alive: '0' }
  const [ours] = await database.system(tx => tx.unsafe<{ idle: string; alive: string }[]>(LIMITS))
  expect(ours as object).toEqual(limits)
  expect((await pool.query(LIMITS)).rows).toEqual([limits])
  await Promise.all([database.close(), pool.end()])
})
