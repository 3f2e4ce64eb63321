import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('POST /v1/workspaces', () => {
  test('makes a workspace of the chosen plan with a test twin, and tells the activity feed', async () => {
    const { account, database } = await service()
    const session = await (await account()).signIn()
    const { status, body } = await session.post('/v1/workspaces', {
      name: ' Support ',
      plan: 'scale',
      settings: { language: 'pt-BR', targets: { search_quality: 0.7 } },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Support',
      plan: 'scale',
      settings: { language: 'pt-BR', consolidation: true, targets: { search_quality: 0.7, memories: null } },
    })
    expect((await session.get(`/v1/workspaces/${body.test_workspace_id}`)).body).toMatchObject({
      mode: 'test',
      plan: 'scale',
      settings: { language: 'pt-BR' },
    })
    const events = await database.system(
      tx => tx`select event.kind, event.subject_id from core.event where event.workspace_id = ${body.id}`,
    )
    expect([...events]).toEqual([{ kind: 'workspace.created', subject_id: body.id }])
  })

  test("a key's workspace has the plan of its own, and the key may use it at once", async () => {
    const account = await (await service()).account({ plan: 'pro' })
    const key = await account.key({ permissions: ['workspace.write', 'workspace.read'] })
    const { status, body } = await key.post('/v1/workspaces', { name: 'By key' })
    expect([status, body.plan]).toEqual([201, 'pro'])
    expect((await key.get(`/v1/workspaces/${body.id}`)).status).toBe(200)
    const other = await account.key({ permissions: ['workspace.read'] })
    expect((await other.get(`/v1/workspaces/${body.id}`)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
  })

  test("a key has no more workspaces than its own one's plan has, whatever the account may have", async () => {
    const own = await service()
    const { signIn } = await own.account({ plan: 'unlimited' })
    const session = await signIn()
    const { body: free } = await session.post('/v1/workspaces', { name: 'Free', plan: 'free' })
    const permissions = ['workspace.write', 'workspace.read']
    const { body: made } = await session.post('/v1/api-keys', { name: 'x', workspace_id: free.id, permissions })
    const key = own.anonymous.with({ 'x-api-key': made.key })
    const answers = await Promise.all(Array.from({ length: 4 }, () => key.post('/v1/workspaces', { name: 'more' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429])
    const { body } = await key.post('/v1/workspaces', { name: 'more' })
    expect([body.error_code, body.message]).toEqual(['QUOTA_EXCEEDED', "The free plan's 3 workspaces are used up."])
    expect((await session.post('/v1/workspaces', { name: 'By the account' })).status).toBe(201)
  })

  test.each([
    [{}, ['name']],
    [{ name: '  ' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: 'x', plan: 'platinum' }, ['plan']],
    [{ name: 'x', owner: 'me' }, ['owner']],
    [{ name: 'x', settings: { colour: 'red' } }, ['settings.colour']],
    [{ name: 'x', settings: { targets: { clicks: 1 } } }, ['settings.targets.clicks']],
    [
      { name: 'x', settings: { consolidation: 'yes', task_ttl_days: 0 } },
      ['settings.consolidation', 'settings.task_ttl_days'],
    ],
    [{ name: 'x', settings: { language: 'English!' } }, ['settings.language']],
    [
      { name: 'x', settings: { retention_days: 1.5, daily_model_tokens: -1 } },
      ['settings.daily_model_tokens', 'settings.retention_days'],
    ],
    [{ name: 'x', settings: { targets: { search_quality: 1.1 } } }, ['settings.targets.search_quality']],
  ])('%j is 400 and names every field at fault', async (body, paths) => {
    const { client } = await (await service()).account()
    const answer = await client.post('/v1/workspaces', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details.map((detail: { path: string }) => detail.path).sort()).toEqual(paths)
  })

  test.each([
    ['free', 3],
    ['pro', 20],
  ])('an account whose first workspace is %s has at most %d, however many are made at once', async (plan, limit) => {
    const { client, signIn } = await (await service()).account({ plan })
    const made = await Promise.all(
      Array.from({ length: limit + 2 }, () => client.post('/v1/workspaces', { name: 'x' })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(limit - 1)
    const refused = made.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      expect([status, body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
      expect(body.message).toBe(`The ${plan} plan's ${limit} workspaces are used up.`)
    }
    // Not even with another plan for the new one: the account's first decides.
    const session = await signIn()
    expect((await session.post('/v1/workspaces', { name: 'x', plan: 'unlimited' })).status).toBe(429)
    const [, second] = (await session.get('/v1/workspaces')).body.data
    const password = 'correct horse battery staple'
    const deleted = await session.with({ 'x-confirm-password': password }).delete(`/v1/workspaces/${second.id}`)
    expect(deleted.status).toBe(204)
    expect((await session.post('/v1/workspaces', { name: 'x' })).status).toBe(201)
  })

  test('a key without memory.delete may not set what deletes memories', async () => {
    const { key } = await (await service()).account()
    const plain = await key({ permissions: ['workspace.write'] })
    const refused = await plain.post('/v1/workspaces', { name: 'x', settings: { task_ttl_days: 1 } })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const eraser = await key({ permissions: ['workspace.write', 'memory.delete'] })
    const made = await eraser.post('/v1/workspaces', { name: 'x', settings: { task_ttl_days: 1 } })
    expect([made.status, made.body.settings.task_ttl_days]).toEqual([201, 1])
  })

  test('a key that names a plan, and a test key, are 403', async () => {
    const { client, key } = await (await service()).account()
    expect((await client.post('/v1/workspaces', { name: 'x', plan: 'unlimited' })).body.error_code).toBe('FORBIDDEN')
    expect((await (await key({ mode: 'test' })).post('/v1/workspaces', { name: 'x' })).body.error_code).toBe(
      'FORBIDDEN',
    )
  })

  test('without a key is 401, without the permission 403', async () => {
    const { anonymous, account } = await service()
    expect((await anonymous.post('/v1/workspaces', { name: 'x' })).body.error_code).toBe('UNAUTHORIZED')
    const key = await (await account()).key({ permissions: ['workspace.read'] })
    expect((await key.post('/v1/workspaces', {})).body.error_code).toBe('FORBIDDEN')
  })
})
