import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'

const PASSWORD = 'a kettle and two cups'

/** An account's workspace, and a way to have others in it. */
async function team() {
  const { account: accountOf, anonymous, database } = await service()
  const account = await accountOf()
  const owner = await account.signIn()
  const { workspaceId } = account
  const invited = async (role: string, by: Client = owner, fields: object = {}) => {
    const { status, body } = await by.post('/v1/members', { role, ...fields }, { query: { workspace_id: workspaceId } })
    return { status, body, token: String(body.link).split('#invitation=')[1] ?? '' }
  }
  /** Somebody with an account made by an invitation, signed in. */
  const join = async (role: string) => {
    const email = `${randomUUID()}@example.com`
    const { token } = await invited(role)
    const accepted = await anonymous.post('/v1/members/accept', { token, email, password: PASSWORD })
    expect([accepted.status, accepted.body.role]).toEqual([200, role])
    return { email, client: await anonymous.signIn(email, PASSWORD) }
  }
  const members = async (): Promise<Json[]> => (await owner.get('/v1/members')).body.data
  return { account, owner, workspaceId, anonymous, accountOf, database, invited, join, members }
}

const status = async (answer: Promise<{ status: number }>) => (await answer).status

describe('roles', () => {
  test('each may do what the one before may, and more', async () => {
    const { account, workspaceId, join } = await team()
    const memory = await account.client.post('/v1/memories', { memory: 'The canal is frozen.' })
    const may = async ({ client }: { client: Client }) => ({
      read: await status(client.get(`/v1/memories/${memory.body.id}`)),
      figures: await status(client.get('/v1/dashboard/summary')),
      write: await status(client.post('/v1/memories', { memory: `Written by ${randomUUID()}` })),
      webhooks: await status(
        client.post('/v1/webhooks', { url: `https://93.184.216.34/${randomUUID()}`, events: ['*'] }),
      ),
      settings: await status(client.patch(`/v1/workspaces/${workspaceId}`, { settings: { language: 'en' } })),
      keys: await status(client.get('/v1/api-keys')),
      members: await status(client.get('/v1/members')),
      remove: await status(client.delete(`/v1/memories/${randomUUID()}`)),
      end: await status(client.delete(`/v1/workspaces/${workspaceId}`)),
    })
    const none = { webhooks: 403, settings: 403, keys: 403, members: 403, remove: 403, end: 403 }
    expect(await may(await join('viewer'))).toEqual({ ...none, read: 200, figures: 200, write: 403 })
    expect(await may(await join('editor'))).toEqual({ ...none, read: 200, figures: 200, write: 201 })
    const all = { read: 200, figures: 200, write: 201, settings: 200, keys: 200, members: 200, remove: 404 }
    expect(await may(await join('admin'))).toEqual({ ...all, webhooks: 201, end: 403 })
    // Only the password is left, which the route itself asks for.
    expect(await may(await join('owner'))).toEqual({ ...all, webhooks: 201, end: 400 })
  })

  test('hold in their workspace alone, and in its test twin', async () => {
    const { account, workspaceId, join, accountOf, anonymous } = await team()
    const { client, email } = await join('viewer')
    const other = await accountOf()
    const named = (id: string) => client.get('/v1/memories', { query: { workspace_id: id } })
    expect((await named(other.workspaceId)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    const [workspace] = (await client.get('/v1/workspaces')).body.data
    expect(workspace.id).toBe(workspaceId)
    expect((await named(workspace.test_workspace_id)).status).toBe(200)
    const twin = { query: { workspace_id: workspace.test_workspace_id } }
    expect(await status(client.post('/v1/memories', { memory: 'Test.' }, twin))).toBe(403)
    // The same account is the owner of what is its own, and a guest elsewhere.
    const own = await account.signIn()
    const { token } = await (async () => {
      const invitation = await (await other.signIn()).post('/v1/members', { role: 'viewer' })
      return { token: String(invitation.body.link).split('#invitation=')[1] }
    })()
    expect((await own.post('/v1/members/accept', { token })).body).toMatchObject({ workspace_id: other.workspaceId })
    expect((await own.get('/v1/workspaces')).body.data.map(({ id }: Json) => id)).toEqual([
      workspaceId,
      other.workspaceId,
    ])
    const there = { query: { workspace_id: other.workspaceId } }
    expect(await status(own.get('/v1/memories', there))).toBe(200)
    expect(await status(own.post('/v1/memories', { memory: 'A guest writes.' }, there))).toBe(403)
    expect(await status(own.post('/v1/memories', { memory: 'The owner writes.' }))).toBe(201)
    expect(await status(client.post('/v1/workspaces', { name: 'Mine' }))).toBe(403)
    expect((await anonymous.signIn(email, PASSWORD)) !== undefined).toBe(true)
  })

  test('of admins reach editors and viewers, and those of owners everybody but the account it belongs to', async () => {
    const { account, owner, members, join, invited } = await team()
    const [admin, other, viewer] = [await join('admin'), await join('admin'), await join('viewer')]
    const idOf = async (email: string) => (await members()).find(member => member.email === email)?.id
    const change = (by: Client, id: string, role: string) => by.patch(`/v1/members/${id}`, { role })
    const viewerId = await idOf(viewer.email)
    expect((await change(admin.client, viewerId, 'editor')).body.role).toBe('editor')
    expect(await status(viewer.client.post('/v1/memories', { memory: 'I may write now.' }))).toBe(201)
    expect(await status(change(admin.client, viewerId, 'admin'))).toBe(403)
    expect(await status(change(admin.client, await idOf(other.email), 'viewer'))).toBe(403)
    expect((await invited('owner', admin.client)).status).toBe(403)
    expect(await status(change(owner, await idOf(other.email), 'owner'))).toBe(200)
    const holder = await change(owner, account.accountId, 'viewer')
    expect([holder.status, holder.body.error_code]).toEqual([409, 'HOLDER_STAYS'])
    expect(await status(owner.delete(`/v1/members/${account.accountId}`))).toBe(409)
    expect(await status(owner.delete(`/v1/members/${viewerId}`))).toBe(204)
    expect(await status(viewer.client.get('/v1/memories'))).toBe(401)
    expect(await status(admin.client.delete(`/v1/members/${await idOf(admin.email)}`))).toBe(204)
    expect(await status(owner.delete(`/v1/members/${viewerId}`))).toBe(404)
    expect((await members()).map(({ email, role }) => [email, role])).toEqual([
      [account.email, 'owner'],
      [other.email, 'owner'],
    ])
  })

  test('of keys that admins make go no further than theirs, and other keys stay out of their sight', async () => {
    const { account, owner, join, accountOf } = await team()
    const { client } = await join('admin')
    const second = await owner.post('/v1/workspaces', { name: 'Another' })
    const wide = await owner.post('/v1/api-keys', {
      name: 'wide',
      permissions: ['memory.read'],
      workspace_ids: [second.body.id],
    })
    const made = await client.post('/v1/api-keys', { name: 'narrow', permissions: ['memory.read', 'memory.write'] })
    expect([made.status, made.body.workspace_id]).toEqual([201, account.workspaceId])
    expect((await client.get('/v1/api-keys')).body.data.map(({ name }: Json) => name)).toEqual(['narrow'])
    expect((await owner.get('/v1/api-keys')).body.total).toBeGreaterThan(2)
    expect(await status(client.post('/v1/api-keys', { name: 'x', permissions: ['workspace.delete'] }))).toBe(403)
    const reaching = { name: 'x', permissions: ['memory.read'], workspace_ids: [second.body.id] }
    expect(await status(client.post('/v1/api-keys', reaching))).toBe(403)
    expect(await status(client.post(`/v1/api-keys/${wide.body.id}/rotate`))).toBe(404)
    expect(await status(client.post(`/v1/api-keys/${made.body.id}/rotate`))).toBe(200)
    expect(await status(client.delete(`/v1/api-keys/${made.body.id}`))).toBe(204)
    const stranger = await (await accountOf()).signIn()
    expect(await status(stranger.get('/v1/api-keys', { query: { workspace_id: account.workspaceId } }))).toBe(403)
  })
})

describe('invitations', () => {
  test('are shown once, listed until they are accepted, and serve once', async () => {
    const { invited, members, anonymous } = await team()
    const { body, token } = await invited('editor', undefined, { email: 'Ada@Example.com' })
    expect(body).toMatchObject({ status: 'INVITED', email: 'ada@example.com', role: 'editor', name: null })
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000)
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(7 * 24 * 3_600_000)
    expect(body.link).toMatch(/^http:\/\/localhost\/console\/#invitation=[\w-]{43}$/)
    expect((await members()).at(-1)).toMatchObject({ id: body.id, status: 'INVITED' })
    expect(JSON.stringify(await members())).not.toContain(token)
    const accept = (email: string) => anonymous.post('/v1/members/accept', { token, email, password: PASSWORD })
    expect(await status(accept('eve@example.com'))).toBe(403)
    const email = 'ada@example.com'
    const first = await accept(email)
    expect([200, 409]).toContain(first.status)
    if (first.status === 200) expect((await accept(email)).body.error_code).toBe('INVITATION_NOT_FOUND')
  })

  test('can be taken back, and end by themselves', async () => {
    const { owner, invited, database, anonymous } = await team()
    const [gone, late] = [await invited('viewer'), await invited('viewer')]
    expect(await status(owner.delete(`/v1/members/${gone.body.id}`))).toBe(204)
    await database.system(
      tx => tx`update core.invitation set expires_at = now() - interval '1 second' where id = ${late.body.id}`,
    )
    for (const { token } of [gone, late]) {
      const given = { token, email: `${randomUUID()}@example.com`, password: PASSWORD }
      const answer = await anonymous.post('/v1/members/accept', given)
      expect([answer.status, answer.body.error_code]).toEqual([404, 'INVITATION_NOT_FOUND'])
    }
  })

  test('make no second account of an address, and say what lacks', async () => {
    const { account, invited, anonymous } = await team()
    const { token } = await invited('viewer')
    const taken = await anonymous.post('/v1/members/accept', { token, email: account.email, password: PASSWORD })
    expect([taken.status, taken.body.error_code]).toEqual([409, 'ACCOUNT_EXISTS'])
    expect(await status(anonymous.post('/v1/members/accept', { token }))).toBe(401)
    expect(await status(anonymous.post('/v1/members/accept', { token, email: 'a@b.example' }))).toBe(400)
    expect(await status(anonymous.post('/v1/members/accept', { token, email: 'ab', password: 'short' }))).toBe(400)
  })

  test('are for a signed-in owner or admin: keys never list or make members', async () => {
    const { account } = await team()
    expect(await status(account.client.get('/v1/members'))).toBe(403)
    expect(await status(account.client.post('/v1/members', { role: 'viewer' }))).toBe(403)
  })
})

test('the activity feed names who did it: an account, a key, or nobody', async () => {
  const { account, owner, join } = await team()
  const { client, email } = await join('editor')
  await client.post('/v1/memories', { memory: 'Bob counts the herons.' })
  await account.client.post('/v1/memories', { memory: 'A key counts the herons, too.' })
  const { data } = (await owner.get('/v1/dashboard/activity')).body
  const actorsOf = (kind: string) =>
    data.filter(({ event_type }: Json) => event_type === kind).map((e: Json) => e.actor)
  expect(actorsOf('memory.created')).toEqual([
    { type: 'key', name: 'test' },
    { type: 'account', name: email },
  ])
  expect(actorsOf('member.joined')).toEqual([null])
})

test('the end of a workspace takes its members and invitations along', async () => {
  const { account, owner, invited, join, database } = await team()
  await owner.post('/v1/workspaces', { name: 'Another' })
  const { client } = await join('viewer')
  await invited('viewer')
  const headers = { 'x-confirm-password': account.password }
  expect(await status(owner.delete(`/v1/workspaces/${account.workspaceId}`, { headers }))).toBe(204)
  expect(await status(client.get('/v1/memories'))).not.toBe(200)
  const left = async () =>
    database.system(
      tx => tx`
        select from core.member where workspace_id = ${account.workspaceId}
        union all
        select from core.invitation where workspace_id = ${account.workspaceId}`,
    )
  const { until } = await import('../../../test/support/wait.ts')
  await until('nothing to be left', async () => (await left()).length === 0)
})
