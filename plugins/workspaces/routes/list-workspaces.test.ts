import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/workspaces', () => {
  test('shows a session every workspace of its account, oldest first', async () => {
    const account = await (await service()).account({ workspaces: 3 })
    const { status, body } = await (await account.signIn()).get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 3, page: 1, page_size: 20 })
    expect(body.data.map((workspace: { id: string }) => workspace.id)).toEqual([...account.workspaceIds])
  })

  test('shows a key only what it may use', async () => {
    const account = await (await service()).account({ workspaces: 3 })
    const [first, second] = account.workspaceIds
    const own = await (await account.key({ permissions: ['workspace.read'] })).get('/v1/workspaces')
    expect(own.body.data).toMatchObject([{ id: first }])
    const granted = await account.key({ permissions: ['workspace.read'], workspaceIds: [second ?? ''] })
    expect((await granted.get('/v1/workspaces')).body).toMatchObject({
      data: [{ id: first }, { id: second }],
      total: 2,
    })
  })

  test('shows a test key the test twins', async () => {
    const account = await (await service()).account()
    const live = await account.client.get('/v1/workspaces')
    const test = await (await account.key({ mode: 'test' })).get('/v1/workspaces')
    expect(test.body.data).toMatchObject([{ id: live.body.data[0].test_workspace_id, mode: 'test' }])
  })

  test('pages', async () => {
    const account = await (await service()).account({ workspaces: 3 })
    const session = await account.signIn()
    const { body } = await session.get('/v1/workspaces', { query: { page: 2, page_size: 2 } })
    expect(body).toMatchObject({ data: [{ id: account.workspaceIds[2] }], total: 3, page: 2, page_size: 2 })
  })

  test.each([{ page: 0 }, { page_size: 101 }, { page: 'x' }, { sort: 'name' }])('with %j is 400', async query => {
    const account = await (await service()).account()
    const { status, body } = await account.client.get('/v1/workspaces', { query })
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('without a key is 401, without the permission 403', async () => {
    const { anonymous, account } = await service()
    expect((await anonymous.get('/v1/workspaces')).body.error_code).toBe('UNAUTHORIZED')
    const key = await (await account()).key({ permissions: ['memory.read'] })
    expect((await key.get('/v1/workspaces')).body.error_code).toBe('FORBIDDEN')
  })
})
