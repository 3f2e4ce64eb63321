import { expect, test } from 'bun:test'
import { openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { createLog } from '../log.ts'
import { registerKey, retireFormerKeys } from './key-registry.ts'
import { createKeyRing } from './key-ring.ts'
import { createKeyWatch } from './key-watch.ts'

test('a process notices that its key was retired while it runs', async () => {
  const { database } = (await openControlPlane(await ownDatabaseUrl())).storage
  const [former, present] = ['f'.repeat(32), 'p'.repeat(32)]
  const ring = createKeyRing(former, [present])
  await registerKey(database, ring)
  const watch = createKeyWatch(database, ring, createLog('silent'))
  await watch.chore.run()
  expect(watch.isRetired()).toBe(false)
  const both = createKeyRing(present, [former])
  await registerKey(database, both)
  await watch.chore.run()
  expect(watch.isRetired()).toBe(false)
  await retireFormerKeys(database, both)
  await watch.chore.run()
  expect(watch.isRetired()).toBe(true)
})
