import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { idleService } from '../../../test/support/service.ts'
import { lockUsers } from './withdraw.ts'

test("a change of any number of users' graphs takes few of the locks that all workspaces share", async () => {
  const { database } = await idleService()
  const userIds = Array.from({ length: 2000 }, (_, n) => `user ${n}`)
  const [row] = await database.system(async tx => {
    await lockUsers(tx, randomUUID(), userIds)
    return tx<{ count: number }[]>`
      select count(*) as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
  })
  expect(row?.count).toBeWithin(1, 257)
})
