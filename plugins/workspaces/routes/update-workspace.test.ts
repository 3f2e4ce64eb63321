import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('PATCH /v1/workspaces/:id', () => {
  test('changes what is given and leaves the rest', async () => {
    const { client, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    await client.patch(path, { settings: { targets: { memories: 10, requests: 20 }, retention_days: 30 } })
    const { status, body } = await client.patch(path, {
      name: 'Renamed',
      settings: { targets: { memories: null }, consolidation: false },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Renamed',
      settings: { targets: { memories: null, requests: 20 }, consolidation: false, retention_days: 30 },
    })
    expect(new Date(body.updated_at).getTime()).toBeGreaterThan(new Date(body.created_at).getTime())
    expect((await client.get(path)).body).toEqual(body)
  })

  test('null for a group of settings restores the default of each in it', async () => {
    const { client, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    await client.patch(path, { settings: { targets: { memories: 10, requests: 20 }, retention_days: 30 } })
    const { status, body } = await client.patch(path, { settings: { targets: null } })
    expect(status).toBe(200)
    expect(body.settings).toMatchObject({
      targets: { memories: null, requests: null, search_quality: null },
      retention_days: 30,
    })
    const wrong = await client.patch(path, { settings: { targets: { clicks: 1, memories: 'x' } } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.details.map((detail: { path: string }) => detail.path).sort()).toEqual([
      'settings.targets.clicks',
      'settings.targets.memories',
    ])
  })

  test('changes at the same time lose nothing of each other', async () => {
    const { client, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    const changes = [{ language: 'de' }, { retention_days: 5 }, { task_ttl_days: 3 }, { targets: { memories: 1 } }]
    await Promise.all(changes.map(settings => client.patch(path, { settings })))
    expect((await client.get(path)).body.settings).toMatchObject({
      language: 'de',
      retention_days: 5,
      task_ttl_days: 3,
      targets: { memories: 1 },
    })
  })

  test('a session changes the plan, which holds at once for workspace and twin', async () => {
    const { signIn, workspaceId } = await (await service()).account({ plan: 'unlimited' })
    const session = await signIn()
    const { body } = await session.patch(`/v1/workspaces/${workspaceId}`, { plan: 'free' })
    expect(body.plan).toBe('free')
    expect((await session.get(`/v1/workspaces/${body.test_workspace_id}`)).body.plan).toBe('free')
  })

  test('a key that changes the plan is 403', async () => {
    const { client, workspaceId } = await (await service()).account({ plan: 'free' })
    const { status, body } = await client.patch(`/v1/workspaces/${workspaceId}`, { plan: 'unlimited' })
    expect([status, body.error_code]).toEqual([403, 'FORBIDDEN'])
  })

  test.each([{ retention_days: 1 }, { retention_days: null }, { task_ttl_days: 1 }])(
    '%j is for a signed-in account, or a key that may delete memories',
    async settings => {
      const { key, signIn, workspaceId } = await (await service()).account()
      const path = `/v1/workspaces/${workspaceId}`
      const plain = await key({ permissions: ['workspace.write', 'memory.write'] })
      const refused = await plain.patch(path, { settings })
      expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
      expect(refused.body.message).toContain('memory.delete')
      const eraser = await key({ permissions: ['workspace.write', 'memory.delete'] })
      expect((await eraser.patch(path, { settings })).body.settings).toMatchObject(settings)
      expect((await (await signIn()).patch(path, { settings })).status).toBe(200)
    },
  )

  test('the model tokens of a day are for a signed-in account alone', async () => {
    const { client, signIn, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    const change = { name: 'New', settings: { daily_model_tokens: 1_000_000, language: 'de' } }
    const refused = await client.patch(path, change)
    expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const changed = await (await signIn()).patch(path, change)
    expect(changed.body.settings).toMatchObject({ daily_model_tokens: 1_000_000, language: 'de' })
    expect((await client.get(path)).body.name).toBe('New')
  })

  test('null sets any setting back', async () => {
    const { client, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    await client.patch(path, { settings: { consolidation: false, language: 'de', targets: { search_quality: 0.5 } } })
    const { body } = await client.patch(path, {
      settings: { consolidation: null, language: null, targets: { search_quality: null } },
    })
    expect(body.settings).toMatchObject({ consolidation: true, language: null, targets: { search_quality: null } })
  })

  test('a twin has settings of its own, and no plan', async () => {
    const { client, key, signIn, workspaceId } = await (await service()).account()
    const path = `/v1/workspaces/${workspaceId}`
    const twin = await (await key({ mode: 'test' })).patch(path, { settings: { language: 'fr' } })
    expect(twin.body).toMatchObject({ mode: 'test', settings: { language: 'fr' } })
    expect((await client.get(path)).body.settings.language).toBeNull()
    const session = await signIn()
    const refused = await session.patch(`/v1/workspaces/${twin.body.id}`, { plan: 'free' })
    expect(refused.body).toMatchObject({ error_code: 'VALIDATION_ERROR', details: [{ path: 'plan' }] })
  })

  test.each([{ name: '' }, { id: randomUUID() }, { settings: null }, { settings: { theme: 'dark' } }])(
    '%j is 400',
    async change => {
      const { client, workspaceId } = await (await service()).account()
      const { status, body } = await client.patch(`/v1/workspaces/${workspaceId}`, change)
      expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  test('one that nobody has is 404', async () => {
    const { client } = await (await service()).account()
    expect((await client.patch(`/v1/workspaces/${randomUUID()}`, { name: 'x' })).body.error_code).toBe(
      'WORKSPACE_NOT_FOUND',
    )
  })

  test('without a key is 401, without the permission 403', async () => {
    const { anonymous, account } = await service()
    const { key, workspaceId } = await account()
    const path = `/v1/workspaces/${workspaceId}`
    expect((await anonymous.patch(path, { name: 'x' })).body.error_code).toBe('UNAUTHORIZED')
    const reader = await key({ permissions: ['workspace.read'] })
    expect((await reader.patch(path, { name: 'x' })).body.error_code).toBe('FORBIDDEN')
  })
})
