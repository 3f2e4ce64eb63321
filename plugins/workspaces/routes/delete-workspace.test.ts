import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const confirmed = (account: TestAccount) => ({ headers: { 'x-confirm-password': account.password } })

describe('DELETE /v1/workspaces/:id', () => {
  test('takes the workspace, its twin and its keys away at once, and everything in them soon after', async () => {
    const { account: open, database } = await service()
    const account = await open({ workspaces: 2 })
    const [doomed = '', kept = ''] = account.workspaceIds
    const [session, live, testKey, other] = await Promise.all([
      account.signIn(),
      account.key(),
      account.key({ mode: 'test' }),
      account.key({ workspaceId: kept, workspaceIds: [doomed] }),
    ])
    for (const client of [live, testKey, other]) await client.post('/v1/memories', { memory: `About ${randomUUID()}` })
    const twin = (await session.get(`/v1/workspaces/${doomed}`)).body.test_workspace_id

    expect((await session.delete(`/v1/workspaces/${doomed}`, confirmed(account))).status).toBe(204)

    for (const key of [live, testKey]) expect((await key.get('/v1/memories')).status).toBe(401)
    for (const id of [doomed, twin]) {
      expect((await session.get(`/v1/workspaces/${id}`)).body.error_code).toBe('WORKSPACE_NOT_FOUND')
      expect((await other.get('/v1/memories', { query: { workspace_id: id } })).body.error_code).toBe(
        'WORKSPACE_NOT_FOUND',
      )
    }
    // The session's own workspace is now the one that is left.
    expect((await session.get('/v1/memories')).body.total).toBe(1)
    await until(
      'the rows of the workspace are gone',
      async () => (await rowsOf(doomed)) + (await rowsOf(twin)) === 0,
      150_000,
    )
    expect(await rowsOf(kept)).toBeGreaterThan(0)

    /** Counts what the database holds of a workspace, its own row included. */
    async function rowsOf(id: string): Promise<number> {
      return database.system(async tx => {
        const tables = await tx<{ name: string }[]>`
          select pg_class.oid::regclass::text as name
          from pg_class
          join pg_attribute on pg_attribute.attrelid = pg_class.oid
          where pg_class.relkind = 'r'
            and pg_class.relforcerowsecurity
            and pg_attribute.attname = 'workspace_id'`
        let sum = (await tx`select from core.workspace where workspace.id = ${id}`).length
        for (const { name } of tables)
          sum += (await tx`select from ${tx.unsafe(name)} where workspace_id = ${id}`).length
        return sum
      })
    }
  })

  test('without the password, or with a wrong one, is 400 and deletes nothing', async () => {
    const account = await (await service()).account({ workspaces: 2 })
    const path = `/v1/workspaces/${account.workspaceId}`
    for (const headers of [{}, { 'x-confirm-password': 'wrong' }]) {
      const { status, body } = await account.client.delete(path, { headers })
      expect([status, body.error_code]).toEqual([400, 'PASSWORD_CONFIRMATION_REQUIRED'])
    }
    expect((await account.client.get(path)).status).toBe(200)
  })

  test('the last workspace is 409, also for deletions at the same time', async () => {
    const account = await (await service()).account({ workspaces: 3 })
    const session = await account.signIn()
    const answers = await Promise.all(
      account.workspaceIds.map(id => session.delete(`/v1/workspaces/${id}`, confirmed(account))),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([204, 204, 409])
    expect(answers.find(answer => answer.status === 409)?.body.error_code).toBe('LAST_WORKSPACE')
    expect((await session.get('/v1/workspaces')).body.total).toBe(1)
  })

  test('a test twin is 403', async () => {
    const account = await (await service()).account({ workspaces: 2 })
    const testKey = await account.key({ mode: 'test' })
    const byKey = await testKey.delete(`/v1/workspaces/${account.workspaceId}`, confirmed(account))
    expect(byKey.body.error_code).toBe('FORBIDDEN')
    const session = await account.signIn()
    const twin = (await session.get(`/v1/workspaces/${account.workspaceId}`)).body.test_workspace_id
    expect((await session.delete(`/v1/workspaces/${twin}`, confirmed(account))).body.error_code).toBe('FORBIDDEN')
  })

  test('without a key is 401, without the permission 403, of nobody 404', async () => {
    const { anonymous, account } = await service()
    const { client, key, workspaceId } = await account({ workspaces: 2 })
    const path = `/v1/workspaces/${workspaceId}`
    expect((await anonymous.delete(path)).body.error_code).toBe('UNAUTHORIZED')
    expect((await (await key({ permissions: ['workspace.write'] })).delete(path)).body.error_code).toBe('FORBIDDEN')
    expect((await client.delete(`/v1/workspaces/${randomUUID()}`)).body.error_code).toBe('WORKSPACE_NOT_FOUND')
  })
})
