import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { idleService } from '../../../test/support/service.ts'
import { knowledgeWorld } from '../world.test-support.ts'

describe('GET /v1/knowledge/:id', () => {
  test('shows the entry as the list does', async () => {
    const { say, compile, entries, client } = await knowledgeWorld()
    say('Ada likes tea.')
    await compile('ada', 'preferences')
    const entry = (await entries('ada')).get('preferences')
    const { status, body } = await client.get(`/v1/knowledge/${entry.id.toUpperCase()}`)
    expect([status, body]).toEqual([200, entry])
  })

  test('is 404 for what does not exist or is of another workspace, 400 for what is no id', async () => {
    const { say, compile, entries } = await knowledgeWorld()
    say('Ada likes tea.')
    await compile('ada', 'preferences')
    const { id } = (await entries('ada')).get('preferences')
    const { client } = await (await idleService()).account()
    for (const unknown of [id, randomUUID()]) {
      const { status, body } = await client.get(`/v1/knowledge/${unknown}`)
      expect([status, body.error_code]).toEqual([404, 'KNOWLEDGE_NOT_FOUND'])
    }
    expect((await client.get('/v1/knowledge/first')).body.error_code).toBe('VALIDATION_ERROR')
  })

  test('is 401 without a key, 403 without knowledge.read or the plan feature', async () => {
    const { anonymous, account } = await idleService()
    const path = `/v1/knowledge/${randomUUID()}`
    expect((await anonymous.get(path)).status).toBe(401)
    const blind = await (await account()).key({ permissions: ['memory.read', 'knowledge.write'] })
    expect((await blind.get(path)).body.error_code).toBe('FORBIDDEN')
    const { client } = await account({ plan: 'free' })
    expect((await client.get(path)).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })
})
