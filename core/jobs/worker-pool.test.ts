import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import pg from 'pg'
import { databaseUrl } from '../../test/support/database.ts'
import { onClockPutBack, releasingOnce } from './worker-pool.ts'

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

test('schedules that are minutes ahead of the clock are told of, and a timer that is a little early is not', () => {
  const events = new EventEmitter()
  let told = 0
  onClockPutBack(events, () => told++)
  const currentTimestamp = Date.now()
  events.emit('cron:prematureTimer', { currentTimestamp, expectedTimestamp: currentTimestamp + 900 })
  expect(told).toBe(0)
  events.emit('cron:prematureTimer', { currentTimestamp, expectedTimestamp: currentTimestamp + 3_600_000 })
  expect(told).toBe(1)
})
