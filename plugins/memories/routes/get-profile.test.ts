import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/memories/profile/:workspaceId/:userId', () => {
  test('is null while nothing was extracted', async () => {
    const { client, workspaceId } = await (await service()).account()
    const { status, body } = await client.get(`/v1/memories/profile/${workspaceId}/ada%20l%C3%B6%2Fx`)
    expect([status, body]).toEqual([200, { profile: null }])
  })

  test('is 403 for a workspace the key has no access to, 404 for none, 400 for what is no id', async () => {
    const running = await service()
    const { client } = await running.account()
    const { workspaceId: foreign } = await running.account()
    const codeOf = async (workspaceId: string) => {
      const { status, body } = await client.get(`/v1/memories/profile/${workspaceId}/ada`)
      return [status, body.error_code]
    }
    expect(await codeOf(foreign)).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
    expect(await codeOf(randomUUID())).toEqual([404, 'WORKSPACE_NOT_FOUND'])
    expect(await codeOf('mine')).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('needs memory.read', async () => {
    const { key, workspaceId } = await (await service()).account()
    const writer = await key({ permissions: ['memory.write'] })
    expect((await writer.get(`/v1/memories/profile/${workspaceId}/ada`)).body.error_code).toBe('FORBIDDEN')
  })
})
