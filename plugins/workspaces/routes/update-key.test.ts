import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { createKeyRoute } from './create-key.ts'
import { updateKeyRoute } from './update-key.ts'

async function makeKey(account: TestAccount, fields: { permissions?: string[]; expires_at?: string } = {}) {
  const session = await account.signIn()
  const body = { name: 'Before', permissions: ['memory.read'], ...fields }
  const { id, key } = (await session.call(createKeyRoute, { body })).body
  return { session, params: { id }, key, path: `/v1/api-keys/${id}` }
}

describe('PATCH /v1/api-keys/:id', () => {
  test('changes what is given and leaves the rest', async () => {
    const account = await (await service()).account()
    const { session, params } = await makeKey(account, { expires_at: '2199-01-01' })
    const { body } = await session.call(updateKeyRoute, { params, body: { name: 'After' } })
    expect(body).toMatchObject({ name: 'After', permissions: ['memory.read'], expires_at: '2199-01-01T00:00:00.000Z' })
    expect(body).not.toHaveProperty('key')
    const { body: endless } = await session.call(updateKeyRoute, { params, body: { expires_at: null } })
    expect(endless).toMatchObject({ name: 'After', expires_at: null })
  })

  test('permissions and workspaces hold at once on this server', async () => {
    const { account, anonymous } = await service()
    const mine = await account({ workspaces: 2 })
    const { session, path, key } = await makeKey(mine)
    const client = anonymous.with({ 'x-api-key': key })
    expect((await client.get('/v1/memories')).status).toBe(200)
    await session.patch(path, { permissions: ['workspace.read'], workspace_ids: [mine.workspaceIds[1]] })
    expect((await client.get('/v1/memories')).body.error_code).toBe('FORBIDDEN')
    expect((await client.get(`/v1/workspaces/${mine.workspaceIds[1]}`)).status).toBe(200)
    await session.patch(path, { workspace_ids: [] })
    expect((await client.get(`/v1/workspaces/${mine.workspaceIds[1]}`)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
  })

  test('changes at once are all kept', async () => {
    const account = await (await service()).account({ workspaces: 2 })
    const { session, path } = await makeKey(account, { permissions: ['memory.read', 'memory.delete'] })
    const workspaces = { workspace_ids: [account.workspaceIds[1]] }
    const changes = [{ name: 'After' }, { permissions: ['memory.read'] }, workspaces, workspaces, { name: 'After' }]
    const answers = await Promise.all(changes.map(change => session.patch(path, change)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const { body } = await session.patch(path, {})
    expect(body).toMatchObject({ name: 'After', permissions: ['memory.read'], ...workspaces })
  })

  test('a key that may do everything keeps only what it is given', async () => {
    const { client, signIn } = await (await service()).account()
    const session = await signIn()
    const { id } = (await session.get('/v1/api-keys')).body.data[0]
    await session.patch(`/v1/api-keys/${id}`, { permissions: ['memory.read'] })
    expect((await client.post('/v1/memories', { memory: 'x' })).body.error_code).toBe('FORBIDDEN')
  })

  test.each([
    { name: '' },
    { permissions: ['nothing.such'] },
    { permissions: [] },
    { expires_at: '2001-01-01' },
    { mode: 'test' },
    { workspace_id: randomUUID() },
    { workspace_ids: ['x'] },
  ])('%j is 400', async change => {
    const { session, path } = await makeKey(await (await service()).account())
    const { status, body } = await session.patch(path, change)
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test("a workspace of another account is 403, of nobody 404, and so is another account's key", async () => {
    const { account } = await service()
    const [mine, other] = await Promise.all([account(), account()])
    const { session, path } = await makeKey(mine)
    const grant = (id: string) => session.patch(path, { workspace_ids: [id] })
    expect((await grant(other.workspaceId)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await grant(randomUUID())).body.error_code).toBe('WORKSPACE_NOT_FOUND')
    const foreign = await (await other.signIn()).patch(path, { name: 'x' })
    expect([foreign.status, foreign.body.error_code]).toEqual([404, 'API_KEY_NOT_FOUND'])
  })

  test('a key is 403, nobody 401', async () => {
    const { anonymous, account } = await service()
    const { client } = await account()
    const path = `/v1/api-keys/${randomUUID()}`
    expect((await client.patch(path, { name: 'x' })).body.error_code).toBe('FORBIDDEN')
    expect((await anonymous.patch(path, { name: 'x' })).body.error_code).toBe('UNAUTHORIZED')
  })
})
