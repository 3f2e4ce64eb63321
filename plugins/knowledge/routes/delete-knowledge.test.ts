import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { idleService } from '../../../test/support/service.ts'
import { EVERY_CATEGORY } from '../queries/changes.ts'
import { knowledgeWorld } from '../world.test-support.ts'

describe('DELETE /v1/knowledge/:id', () => {
  test('takes the entry with what was written by hand; it comes back as compiled when it is compiled', async () => {
    const { say, compile, entries, content, client } = await knowledgeWorld()
    say('Ada likes tea.')
    say('Ada plays the cello.', { categories: ['personal'] })
    await compile('ada', EVERY_CATEGORY)
    const { id, content: before } = (await entries('ada')).get('preferences')
    await client.put(`/v1/knowledge/${id}`, { content: 'By hand.' })
    const answer = await client.delete(`/v1/knowledge/${id}`)
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await client.get(`/v1/knowledge/${id}`)).status).toBe(404)
    await compile('ada', 'personal')
    expect([...(await entries('ada')).keys()]).toEqual(['personal'])
    await compile('ada', 'preferences')
    expect(await content('ada', 'preferences')).toBe(before)
  })

  test('is 404 for what does not exist, is gone, or is of another workspace', async () => {
    const { say, compile, entries, client } = await knowledgeWorld()
    say('Ada likes tea.')
    await compile('ada', 'preferences')
    const { id } = (await entries('ada')).get('preferences')
    const { client: other } = await (await idleService()).account()
    expect((await other.delete(`/v1/knowledge/${id}`)).body.error_code).toBe('KNOWLEDGE_NOT_FOUND')
    const twice = await Promise.all([1, 2].map(() => client.delete(`/v1/knowledge/${id}`)))
    expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 404])
    expect((await client.delete('/v1/knowledge/first')).body.error_code).toBe('VALIDATION_ERROR')
  })

  test('is 401 without a key, 403 without knowledge.delete or the plan feature', async () => {
    const { anonymous, account } = await idleService()
    const path = `/v1/knowledge/${randomUUID()}`
    expect((await anonymous.delete(path)).status).toBe(401)
    const writer = await (await account()).key({ permissions: ['knowledge.read', 'knowledge.write'] })
    expect((await writer.delete(path)).body.error_code).toBe('FORBIDDEN')
    const { client } = await account({ plan: 'free' })
    expect((await client.delete(path)).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })
})
