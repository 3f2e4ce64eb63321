import { expect, test } from 'bun:test'
import { blankFolder } from '../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { openPgPool } from '../pool.ts'
import { startEmbedded } from './index.ts'

const collector = new URL('./fixtures/collector.ts', import.meta.url)

test("the garbage of the database's thread is collected there, and the database works on", async () => {
  const collected = new BroadcastChannel('collected')
  const told = Promise.withResolvers<unknown>()
  collected.onmessage = ({ data }) => told.resolve(data)
  const embedded = await startEmbedded({ folder: await blankFolder(), collector })
  embedded.collectGarbage()
  expect(await told.promise).toEqual({ all: true, isMainThread: false })
  const pool = openPgPool(embedded.url, 1, createLog('silent'))
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await embedded.stop()
  collected.close()
})

test('without a collector, nothing happens when garbage is to be collected', async () => {
  const embedded = await startEmbedded({ folder: await blankFolder() })
  embedded.collectGarbage()
  const pool = openPgPool(embedded.url, 1, createLog('silent'))
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await embedded.stop()
})
