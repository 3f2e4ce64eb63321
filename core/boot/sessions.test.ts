import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { checkSessions } from './request-role.ts'

test('a database whose clients have sessions of their own is taken, and so is the embedded one', async () => {
  const { storage } = await controlPlane()
  await checkSessions(storage)
})

test('a pooler that lends one session to several clients is refused', async () => {
  const { database, pool } = (await controlPlane()).storage
  // Clients of the embedded database share one as those of such a pooler do.
  const hasOwn = await database.isConcurrent()
  const check = checkSessions({ pool, database: { ...database, isConcurrent: async () => true } })
  expect(await check.catch(error => error.message)).toEqual(
    hasOwn ? undefined : expect.stringContaining('leads to a pooler of transactions'),
  )
})
