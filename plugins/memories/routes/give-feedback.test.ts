import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('POST /v1/memories/:id/feedback', () => {
  test('counts signals and remembers the last', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    const give = (feedback: object) => client.post(`/v1/memories/${body.id}/feedback`, feedback)
    const answers = [
      await give({ signal: 'POSITIVE', query_hash: 'x'.repeat(64) }),
      await give({ signal: 'POSITIVE' }),
      await give({ rating: 'NEUTRAL' }),
      await give({ signal: 'NEGATIVE' }),
    ]
    expect(answers.map(answer => [answer.status, answer.body])).toEqual(Array(4).fill([204, '']))
    const { feedback, updated_at } = (await client.get(`/v1/memories/${body.id}`)).body
    expect(feedback).toMatchObject({ positive: 2, negative: 1, neutral: 1, last_signal: 'NEGATIVE' })
    expect(feedback.last_feedback_at).toMatch(/^\d{4}-.*\.\d{3}Z$/)
    expect(updated_at).toBe(body.updated_at)
  })

  test('loses none of many signals at once', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/v1/memories/${body.id}/feedback`, { signal: 'POSITIVE' })),
    )
    expect((await client.get(`/v1/memories/${body.id}`)).body.feedback.positive).toBe(20)
  })

  test.each([
    ['no signal', {}],
    ['an unknown signal', { signal: 'GREAT' }],
    ['a signal and its alias', { signal: 'POSITIVE', rating: 'POSITIVE' }],
    ['a hash beyond the limit', { signal: 'POSITIVE', query_hash: 'x'.repeat(65) }],
    ['an unknown field', { signal: 'POSITIVE', comment: 'good' }],
  ])('refuses %s', async (_, feedback) => {
    const { client } = await (await service()).account()
    const answer = await client.post(`/v1/memories/${randomUUID()}/feedback`, feedback)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is 404 for none and 410 for an expired memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    const give = async (id: string) => {
      const answer = await client.post(`/v1/memories/${id}/feedback`, { signal: 'POSITIVE' })
      return [answer.status, answer.body.error_code]
    }
    expect(await give(randomUUID())).toEqual([404, 'MEMORY_NOT_FOUND'])
    expect(await give(body.id)).toEqual([410, 'MEMORY_EXPIRED'])
  })

  test('needs memory.write', async () => {
    const reader = await (await (await service()).account()).key({ permissions: ['memory.read'] })
    expect((await reader.post(`/v1/memories/${randomUUID()}/feedback`, {})).body.error_code).toBe('FORBIDDEN')
  })
})
