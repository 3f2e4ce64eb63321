import { expect, test } from 'bun:test'
import { onePool, temporaryFolder } from './folders.test-support.ts'
import { startEmbedded } from './index.ts'

const collector = new URL('./fixtures/collector.ts', import.meta.url)

test("the garbage of the database's thread is collected there, and the database works on", async () => {
  const collected = new BroadcastChannel('collected')
  const told = Promise.withResolvers<unknown>()
  collected.onmessage = ({ data }) => told.resolve(data)
  const embedded = await startEmbedded({ folder: await temporaryFolder(), collector })
  embedded.collectGarbage()
  expect(await told.promise).toEqual({ all: true, isMainThread: false })
  const pool = onePool(embedded.url)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await embedded.stop()
  collected.close()
})

test('without a collector, nothing happens when garbage is to be collected', async () => {
  const embedded = await startEmbedded({ folder: await temporaryFolder() })
  embedded.collectGarbage()
  const pool = onePool(embedded.url)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await embedded.stop()
})
