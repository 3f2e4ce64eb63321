import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('POST /v1/memories/:id/feedback', () => {
  test('leaves the memory as it was last changed', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    expect((await client.post(`/v1/memories/${body.id}/feedback`, { rating: 'NEUTRAL' })).status).toBe(204)
    const { feedback, updated_at } = (await client.get(`/v1/memories/${body.id}`)).body
    expect(feedback).toMatchObject({ positive: 0, neutral: 1 })
    expect(updated_at).toBe(body.updated_at)
  })

  test('loses none of many concurrent signals', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/v1/memories/${body.id}/feedback`, { signal: 'POSITIVE' })),
    )
    expect((await client.get(`/v1/memories/${body.id}`)).body.feedback.positive).toBe(20)
  })

  test('refuses an unknown field', async () => {
    const { client } = await (await service()).account()
    const feedback = { signal: 'POSITIVE', comment: 'good' }
    const response = await client.post(`/v1/memories/${randomUUID()}/feedback`, feedback)
    expect([response.status, response.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})
