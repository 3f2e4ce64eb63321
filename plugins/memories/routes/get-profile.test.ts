import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/memories/profile/:workspaceId/:userId', () => {
  test('takes a user id with any characters', async () => {
    const { client, workspaceId } = await (await service()).account()
    const { status, body } = await client.get(`/v1/memories/profile/${workspaceId}/ada%20l%C3%B6%2Fx`)
    expect([status, body]).toEqual([200, { profile: null }])
  })
})
