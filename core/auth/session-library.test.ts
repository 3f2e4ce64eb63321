import { expect, test } from 'bun:test'
import { askSessions, authRequest, controlPlane, failure } from '../../test/support/control-plane.ts'
import { createLog } from '../log.ts'
import { createClientAddress } from './client-address.ts'
import { createPasswordGuard } from './password-guard.ts'
import { createSessions } from './sessions.ts'

test('a session library that did not load is loaded by the next request', async () => {
  const { storage } = await controlPlane()
  const { pool, database } = storage
  let loads = 0
  const sessions = createSessions({
    pool,
    database,
    log: createLog('silent'),
    guard: createPasswordGuard({ database }),
    clientAddress: createClientAddress([]),
    get secret() {
      if (++loads === 1) throw new Error('too many open files')
      return 's'.repeat(40)
    },
  })
  const get = () => askSessions(sessions, authRequest('/get-session', undefined, { method: 'GET' }))
  expect(await failure(get())).toMatchObject({ message: 'too many open files' })
  expect((await get()).status).toBe(200)
})
