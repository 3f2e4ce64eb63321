import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('DELETE /v1/api-keys/:id', () => {
  test('stops the key at once on this server and takes it off the list', async () => {
    const { account, database } = await service()
    const { client, signIn, workspaceId } = await account()
    const session = await signIn()
    expect((await client.get('/v1/memories')).status).toBe(200)
    const { id } = (await session.get('/v1/api-keys')).body.data[0]
    const { status, body } = await session.delete(`/v1/api-keys/${id.toUpperCase()}`)
    expect([status, body]).toEqual([204, ''])
    expect((await client.get('/v1/memories')).body.error_code).toBe('UNAUTHORIZED')
    expect((await session.get('/v1/api-keys')).body.total).toBe(0)
    expect((await session.delete(`/v1/api-keys/${id}`)).body.error_code).toBe('API_KEY_NOT_FOUND')
    const events = await database.system(
      tx => tx`select event.kind, event.subject_id from core.event where event.workspace_id = ${workspaceId}`,
    )
    expect([...events]).toEqual([{ kind: 'key.revoked', subject_id: id }])
  })

  test('goes before or after a rotation at the same time, never through it', async () => {
    const { account, anonymous } = await service()
    const session = await (await account()).signIn()
    const { id } = (await session.get('/v1/api-keys')).body.data[0]
    const path = `/v1/api-keys/${id}`
    const rotate = () => session.post(`${path}/rotate`)
    const [first, revoked, second, again] = await Promise.all([
      rotate(),
      session.delete(path),
      rotate(),
      session.delete(path),
    ])
    expect([revoked.status, again.status].sort()).toEqual([204, 404])
    for (const { status, body } of [first, second]) {
      expect([200, 404]).toContain(status)
      const stale = body.key && (await anonymous.with({ 'x-api-key': body.key }).get('/v1/memories')).status
      expect(stale ?? 401).toBe(401)
    }
  })

  test("another account's key is 404 and goes on working", async () => {
    const { account } = await service()
    const [mine, other] = await Promise.all([account(), account()])
    const { id } = (await (await mine.signIn()).get('/v1/api-keys')).body.data[0]
    expect((await (await other.signIn()).delete(`/v1/api-keys/${id}`)).body.error_code).toBe('API_KEY_NOT_FOUND')
    expect((await mine.client.get('/v1/memories')).status).toBe(200)
  })

  test('an id that is no UUID is 400, a key 403, nobody 401', async () => {
    const { anonymous, account } = await service()
    const { client, signIn } = await account()
    expect((await (await signIn()).delete('/v1/api-keys/x')).body.error_code).toBe('VALIDATION_ERROR')
    expect((await client.delete(`/v1/api-keys/${randomUUID()}`)).body.error_code).toBe('FORBIDDEN')
    expect((await anonymous.delete(`/v1/api-keys/${randomUUID()}`)).body.error_code).toBe('UNAUTHORIZED')
  })
})
