import { describe, expect, test } from 'bun:test'
import { createHash, randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

const permissions = ['memory.read', 'memory.write']

describe('POST /v1/api-keys', () => {
  test('is 404 where the workspace it would be of was just deleted by another server', async () => {
    const { account, database } = await service()
    const { signIn, workspaceId } = await account()
    const session = await signIn()
    const { body: other } = await session.post('/v1/workspaces', { name: 'Other' })
    const made = () => session.post('/v1/api-keys', { name: 'x', permissions })
    expect((await made()).body.workspace_id).toBe(workspaceId)
    await database.system(
      tx =>
        tx`update core.workspace set deleted_at = now() where workspace.id = ${workspaceId} or twin_of = ${workspaceId}`,
    )
    const { status, body } = await made()
    // Its session may have been looked up again by now, and then has another first workspace.
    expect(status === 201 ? body.workspace_id : body.error_code).toBe(status === 201 ? other.id : 'WORKSPACE_NOT_FOUND')
  })

  test('answers with a key that works, and stores no more than its hash', async () => {
    const { account, anonymous, database } = await service()
    const { signIn, workspaceId } = await account()
    const session = await signIn()
    const { status, body } = await session.post('/v1/api-keys', {
      name: ' Agent ',
      workspace_id: workspaceId,
      permissions,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^mn_live_[0-9A-Za-z]{32}$/),
      name: 'Agent',
      prefix: body.key.slice(0, 12),
      permissions,
      workspace_id: workspaceId,
      workspace_ids: [],
      mode: 'live',
      user_id: null,
      agent_id: null,
      expires_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
    })
    const key = anonymous.with({ 'x-api-key': body.key })
    expect((await key.get('/v1/memories')).status).toBe(200)
    expect((await key.get('/v1/workspaces')).body.error_code).toBe('FORBIDDEN')
    const [row] = await database.system(
      tx => tx<{ row: string; hash: Uint8Array }[]>`
        select to_json(api_key)::text as row, api_key.hash from core.api_key where api_key.id = ${body.id}`,
    )
    expect(row?.row).not.toContain(body.key.slice(12))
    expect(Buffer.from(row?.hash ?? []).toString('hex')).toBe(createHash('sha256').update(body.key).digest('hex'))
  })

  test('a test key works on the test twin, and nothing of it shows in live data', async () => {
    const { account, anonymous } = await service()
    const { client, signIn, workspaceId } = await account()
    const session = await signIn()
    const { body } = await session.post('/v1/api-keys', {
      name: 'Trial',
      workspace_id: workspaceId,
      permissions,
      mode: 'test',
    })
    expect(body.key).toMatch(/^mn_test_/)
    expect(body).toMatchObject({ mode: 'test', workspace_id: workspaceId })
    const key = anonymous.with({ 'x-api-key': body.key })
    const text = `A trial of ${randomUUID()}`
    expect((await key.post('/v1/memories', { memory: text })).status).toBe(201)
    const twin = (await session.get(`/v1/workspaces/${workspaceId}`)).body.test_workspace_id
    expect((await key.get('/v1/memories')).body.data).toMatchObject([{ memory: text, workspace_id: twin }])
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })

  test('a granted workspace can be named, others cannot', async () => {
    const { account, anonymous } = await service()
    const { signIn, workspaceIds } = await account({ workspaces: 3 })
    const [first, second, third] = workspaceIds
    const session = await signIn()
    const { body } = await session.post('/v1/api-keys', {
      name: 'Two',
      workspace_id: first,
      workspace_ids: [second, first],
      permissions,
    })
    expect(body.workspace_ids).toEqual([second])
    const key = anonymous.with({ 'x-api-key': body.key })
    expect((await key.get('/v1/memories', { query: { workspace_id: second ?? '' } })).status).toBe(200)
    expect((await key.get('/v1/memories', { query: { workspace_id: third ?? '' } })).body.error_code).toBe(
      'WORKSPACE_ACCESS_DENIED',
    )
  })

  test("without a workspace it belongs to the account's first", async () => {
    const { signIn, workspaceId } = await (await service()).account({ workspaces: 2 })
    const session = await signIn()
    expect((await session.post('/v1/api-keys', { name: 'x', permissions })).body.workspace_id).toBe(workspaceId)
  })

  test('is told to the activity feed of its workspace', async () => {
    const { account, database } = await service()
    const { signIn, workspaceId } = await account()
    const { body } = await (await signIn()).post('/v1/api-keys', { name: 'Seen', permissions })
    const events = await database.system(
      tx =>
        tx`select event.kind, event.subject_id, event.data from core.event where event.workspace_id = ${workspaceId}`,
    )
    expect([...events]).toEqual([
      { kind: 'key.created', subject_id: body.id, data: { name: 'Seen', prefix: body.prefix, mode: 'live' } },
    ])
  })

  test('repeated with one Idempotency-Key makes one key and shows it once', async () => {
    const { signIn } = await (await service()).account()
    const session = (await signIn()).with({ 'idempotency-key': randomUUID() })
    const first = await session.post('/v1/api-keys', { name: 'Once', permissions })
    const second = await session.post('/v1/api-keys', { name: 'Once', permissions })
    expect(first.body.key).toMatch(/^mn_live_/)
    expect(JSON.stringify(second.body)).not.toContain(first.body.key)
    expect(
      (await session.get('/v1/api-keys')).body.data.filter((key: { name: string }) => key.name === 'Once'),
    ).toHaveLength(1)
  })

  test.each([
    [{ permissions }, ['name']],
    [{ name: 'x' }, ['permissions']],
    [{ name: 'x', permissions: [] }, ['permissions']],
    [{ name: 'x', permissions: ['memory.read', 'memory.fly'] }, ['permissions.1']],
    [{ name: 'x', permissions, mode: 'prod' }, ['mode']],
    [{ name: 'x', permissions, workspace_id: 'first' }, ['workspace_id']],
    [{ name: 'x', permissions, expires_at: '2001-01-01' }, ['expires_at']],
    [{ name: 'x', permissions, expires_at: 'tomorrow' }, ['expires_at']],
    [{ name: 'x', permissions, key: 'mn_live_mine' }, ['key']],
  ])('%j is 400 and names the field at fault', async (body, paths) => {
    const session = await (await (await service()).account()).signIn()
    const answer = await session.post('/v1/api-keys', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual(paths)
  })

  test("for another account's workspace is 403, for nobody's 404, for a test twin 400", async () => {
    const { account } = await service()
    const [mine, other] = await Promise.all([account(), account()])
    const session = await mine.signIn()
    const twin = (await session.get(`/v1/workspaces/${mine.workspaceId}`)).body.test_workspace_id
    const create = (workspace: object) => session.post('/v1/api-keys', { name: 'x', permissions, ...workspace })
    expect((await create({ workspace_id: other.workspaceId })).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await create({ workspace_ids: [other.workspaceId] })).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await create({ workspace_id: randomUUID() })).body.error_code).toBe('WORKSPACE_NOT_FOUND')
    expect((await create({ workspace_id: twin })).body.details).toMatchObject([{ path: 'workspace_id' }])
  })

  test('no key may mint keys, not even one with every permission', async () => {
    const { anonymous, account } = await service()
    const { client } = await account()
    const { status, body } = await client.post('/v1/api-keys', { name: 'x', permissions })
    expect([status, body.error_code]).toEqual([403, 'FORBIDDEN'])
    expect((await anonymous.post('/v1/api-keys', { name: 'x', permissions })).body.error_code).toBe('UNAUTHORIZED')
  })
})
