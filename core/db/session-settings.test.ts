import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { databaseUrl } from '../../test/support/database.ts'
import { createLog } from '../log.ts'
import { openDatabase, type TransactionOptions } from './database.ts'
import { openPgPool } from './pool.ts'

const LIMITS = `
  select
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('tcp_keepalives_idle') as alive,
    current_setting('jit') as jit`

test('a transaction that waits for itself ends, so does one whose host vanished, and no statement is compiled', async () => {
  const url = await databaseUrl()
  const database = openDatabase({ url, poolSize: 1 })
  const pool = openPgPool(url, 1, createLog('silent'))
  // The embedded database ends such transactions after a second, by itself, and its clients are in this process.
  const limits = (await database.isConcurrent())
    ? { idle: '2min', alive: '30', jit: 'off' }
    : { idle: '0', alive: '0', jit: 'off' }
  const [ours] = await database.system(tx => tx.unsafe<{ idle: string; alive: string; jit: string }[]>(LIMITS))
  expect(ours as object).toEqual(limits)
  expect((await pool.query(LIMITS)).rows).toEqual([limits])
  await Promise.all([database.close(), pool.end()])
})

test('a snapshot that says so may wait longer for its reader than any other transaction', async () => {
  const database = openDatabase({ url: await databaseUrl(), poolSize: 1 })
  const idleOf = async (options: TransactionOptions) => {
    const [row] = await database.workspace(randomUUID(), tx => tx.unsafe<{ idle: string }[]>(LIMITS), options)
    return row?.idle
  }
  const usual = (await database.isConcurrent()) ? '2min' : '0'
  expect(await idleOf({ snapshot: true, idlesLong: true })).toBe('1h')
  expect([await idleOf({ snapshot: true, once: true }), await idleOf({})]).toEqual([usual, usual])
  await database.close()
})
