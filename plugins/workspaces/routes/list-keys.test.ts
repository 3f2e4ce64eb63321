import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

const names = (keys: { name: string }[]) => keys.map(key => key.name)

describe('GET /v1/api-keys', () => {
  test("lists the account's keys, newest first, without secrets", async () => {
    const { account } = await service()
    const mine = await account({ workspaces: 2 })
    await (await account()).key()
    const session = await mine.signIn()
    const made: string[] = []
    for (const [index, name] of ['one', 'two'].entries()) {
      const workspace_id = mine.workspaceIds[index]
      made.push((await session.post('/v1/api-keys', { name, workspace_id, permissions: ['memory.read'] })).body.key)
    }
    const { status, body } = await session.get('/v1/api-keys')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 3, page: 1, page_size: 20 })
    expect(names(body.data)).toEqual(['two', 'one', 'test'])
    for (const key of made) expect(JSON.stringify(body)).not.toContain(key.slice(12))
  })

  test('a key that may do everything lists every permission there is', async () => {
    const { client, signIn } = await (await service()).account()
    const { body } = await (await signIn()).get('/v1/api-keys')
    const known = (await client.get('/v1/api-keys/permissions')).body.groups
    expect(body.data[0].permissions).toHaveLength(
      known.flatMap((group: { permissions: unknown[] }) => group.permissions).length,
    )
  })

  test('pages', async () => {
    const account = await (await service()).account()
    for (let n = 0; n < 2; n++) await account.key()
    const { body } = await (await account.signIn()).get('/v1/api-keys', { query: { page: 2, page_size: 2 } })
    expect(body).toMatchObject({ total: 3, page: 2, page_size: 2 })
    expect(body.data).toHaveLength(1)
  })

  test('a bad page is 400, a key 403, nobody 401', async () => {
    const { anonymous, account } = await service()
    const { client, signIn } = await account()
    expect((await (await signIn()).get('/v1/api-keys', { query: { page: 0 } })).body.error_code).toBe(
      'VALIDATION_ERROR',
    )
    expect((await client.get('/v1/api-keys')).body.error_code).toBe('FORBIDDEN')
    expect((await anonymous.get('/v1/api-keys')).body.error_code).toBe('UNAUTHORIZED')
  })
})
