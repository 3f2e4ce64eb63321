import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('POST /v1/knowledge/compile', () => {
  test('is accepted, also for a user without any memory', async () => {
    const { client } = await (await service()).account()
    for (const body of [{ user_id: 'nobody' }, { user_id: 'nobody', category: 'preferences' }]) {
      const answer = await client.post('/v1/knowledge/compile', body)
      expect([answer.status, answer.body]).toEqual([202, { message: expect.any(String) }])
    }
  })

  test('is 400 without a user, with a blank one, or with a field it does not know', async () => {
    const { client } = await (await service()).account()
    for (const body of [{}, { user_id: ' ' }, { user_id: 'a', category: '' }, { user_id: 'a', categories: ['x'] }]) {
      const answer = await client.post('/v1/knowledge/compile', body)
      expect([body, answer.status, answer.body.error_code]).toEqual([body, 400, 'VALIDATION_ERROR'])
    }
  })

  test('is 401 without a key, 403 without knowledge.write or the plan feature', async () => {
    const { anonymous, account } = await service()
    const body = { user_id: 'ada' }
    expect((await anonymous.post('/v1/knowledge/compile', body)).status).toBe(401)
    const reader = await (await account()).key({ permissions: ['knowledge.read', 'knowledge.delete'] })
    expect((await reader.post('/v1/knowledge/compile', body)).body.error_code).toBe('FORBIDDEN')
    const { client } = await account({ plan: 'free' })
    expect((await client.post('/v1/knowledge/compile', body)).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })
})
