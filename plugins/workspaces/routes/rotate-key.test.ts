import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('POST /v1/api-keys/:id/rotate', () => {
  test('replaces the secret and nothing else', async () => {
    const { account, anonymous, database } = await service()
    const { signIn, workspaceId } = await account()
    const session = await signIn()
    const made = (await session.post('/v1/api-keys', { name: 'Turning', permissions: ['memory.read'] })).body
    const old = anonymous.with({ 'x-api-key': made.key })
    expect((await old.get('/v1/memories')).status).toBe(200)
    const { status, body } = await session.post(`/v1/api-keys/${made.id}/rotate`)
    expect(status).toBe(200)
    const { key, prefix, ...rest } = body
    expect(made).toMatchObject(rest)
    expect(key).toMatch(/^mn_live_[0-9A-Za-z]{32}$/)
    expect([prefix, key === made.key]).toEqual([key.slice(0, 12), false])
    expect((await anonymous.with({ 'x-api-key': key }).get('/v1/memories')).status).toBe(200)
    expect((await old.get('/v1/memories')).body.error_code).toBe('UNAUTHORIZED')
    expect((await session.get('/v1/api-keys')).body.total).toBe(2)
    const events = await database.system(
      tx => tx<{ kind: string }[]>`
        select event.kind from core.event where event.workspace_id = ${workspaceId} order by event.id`,
    )
    expect(events.map(event => event.kind).sort()).toEqual(['key.created', 'key.created', 'key.revoked'])
  })

  test('rotations at once follow one another: the secret of the last one holds', async () => {
    const { account, anonymous } = await service()
    const session = await (await account()).signIn()
    const { id } = (await session.get('/v1/api-keys')).body.data[0]
    const answers = await Promise.all(Array.from({ length: 5 }, () => session.post(`/v1/api-keys/${id}/rotate`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const tried = await Promise.all(
      answers.map(({ body }) => anonymous.with({ 'x-api-key': body.key }).get('/v1/memories')),
    )
    expect(tried.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect((await session.get('/v1/api-keys')).body.total).toBe(1)
  })

  test('a key of nobody, of another account or revoked is 404, an id that is no UUID 400', async () => {
    const { account } = await service()
    const [mine, other] = await Promise.all([account(), account()])
    const [session, stranger] = await Promise.all([mine.signIn(), other.signIn()])
    const { id } = (await session.get('/v1/api-keys')).body.data[0]
    expect((await stranger.post(`/v1/api-keys/${id}/rotate`)).body.error_code).toBe('API_KEY_NOT_FOUND')
    expect((await session.post(`/v1/api-keys/${randomUUID()}/rotate`)).body.error_code).toBe('API_KEY_NOT_FOUND')
    expect((await session.post('/v1/api-keys/mine/rotate')).body.error_code).toBe('VALIDATION_ERROR')
    await session.delete(`/v1/api-keys/${id}`)
    expect((await session.post(`/v1/api-keys/${id}/rotate`)).body.error_code).toBe('API_KEY_NOT_FOUND')
  })

  test('a key is 403, nobody 401', async () => {
    const { anonymous, account } = await service()
    const path = `/v1/api-keys/${randomUUID()}/rotate`
    expect((await (await account()).client.post(path)).body.error_code).toBe('FORBIDDEN')
    expect((await anonymous.post(path)).body.error_code).toBe('UNAUTHORIZED')
  })
})
