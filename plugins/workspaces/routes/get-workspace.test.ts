import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/workspaces/:id', () => {
  test('answers with the workspace and every setting', async () => {
    const { client, workspaceId } = await (await service()).account({ plan: 'pro' })
    const { status, body } = await client.get(`/v1/workspaces/${workspaceId}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: workspaceId,
      name: 'Test 1',
      plan: 'pro',
      settings: {
        targets: { memories: null, requests: null, search_quality: null },
        consolidation: true,
        secrets: 'keep',
        uniqueness: 'workspace',
        timezone: 'UTC',
        conversation_instructions: null,
        task_ttl_days: null,
        language: null,
        daily_model_tokens: null,
        retention_days: null,
      },
      mode: 'live',
      test_workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  test('answers a test key with the test twin', async () => {
    const { client, key, workspaceId } = await (await service()).account({ plan: 'pro' })
    const live = await client.get(`/v1/workspaces/${workspaceId}`)
    const { body } = await (await key({ mode: 'test' })).get(`/v1/workspaces/${workspaceId}`)
    expect(body).toMatchObject({ id: live.body.test_workspace_id, mode: 'test', plan: 'pro', test_workspace_id: null })
  })

  test('an id that is no UUID is 400, one that nobody has 404', async () => {
    const { client } = await (await service()).account()
    expect((await client.get('/v1/workspaces/first')).body.error_code).toBe('VALIDATION_ERROR')
    expect((await client.get(`/v1/workspaces/${randomUUID()}`)).body.error_code).toBe('WORKSPACE_NOT_FOUND')
  })

  test("another account's, one the key was not granted, and the test twin are 403", async () => {
    const { account } = await service()
    const mine = await account({ workspaces: 2 })
    const other = await account()
    const twin = (await mine.client.get(`/v1/workspaces/${mine.workspaceId}`)).body.test_workspace_id
    for (const id of [other.workspaceId, mine.workspaceIds[1], twin]) {
      const { status, body } = await mine.client.get(`/v1/workspaces/${id}`)
      expect([status, body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
    }
  })

  test('without a key is 401, without the permission 403', async () => {
    const { anonymous, account } = await service()
    const { key, workspaceId } = await account()
    const path = `/v1/workspaces/${workspaceId}`
    expect((await anonymous.get(path)).body.error_code).toBe('UNAUTHORIZED')
    expect((await (await key({ permissions: ['workspace.write'] })).get(path)).body.error_code).toBe('FORBIDDEN')
  })
})
