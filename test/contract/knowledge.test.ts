import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, remember, type Subject, subjectWith, UUID } from './subject.ts'

let service: Subject
let client: Client
let workspaceId: string
const memories: Record<string, string> = {}

beforeAll(async () => {
  service = await subjectWith({ KNOWLEDGE_DEBOUNCE_MS: '50' })
  const account = await service.account()
  client = account.client
  workspaceId = account.workspaceId
  for (const [name, memory] of Object.entries({
    work: 'My name is Ada Lovelace. I work at Acme as an engineer.',
    home: 'I live in Lisbon.',
    tea: 'I love green tea.',
  })) {
    memories[name] = (await remember(client, memory, { user_id: 'ada' })).id
  }
  await remember(client, 'I prefer short answers.', { user_id: 'ada', categories: ['style guide'] })
  await remember(client, 'I live in Porto.', { user_id: 'bo' })
})

/** Waits for the entries of a user until they all hold the given texts. */
function entries(user: string, ...texts: readonly string[]): Promise<Json[]> {
  return until(`knowledge of ${texts.join(', ')}`, async () => {
    const { body } = await client.get('/v1/knowledge', { query: { user_id: user, page_size: 100 } })
    const all = body.data.map((entry: Json) => entry.content).join('\n')
    return texts.every(text => all.includes(text)) && body.data
  })
}

/** Finds the one entry that holds a text. */
async function entryWith(user: string, text: string): Promise<Json> {
  return (await entries(user, text)).find(({ content }) => content.includes(text))
}

describe('knowledge', () => {
  test('is compiled from memories, an entry a user and category, each statement with its memories', async () => {
    const all = await entries('ada', 'Acme', 'Lisbon', 'green tea', 'short answers')
    for (const entry of all) {
      expect(entry).toEqual({
        id: UUID,
        user_id: 'ada',
        category: expect.any(String),
        content: expect.stringMatching(/^# /),
        version: expect.any(Number),
        created_at: ISO,
        updated_at: ISO,
      })
      for (const line of entry.content.split('\n').filter((line: string) => line.startsWith('- ')))
        expect(line).toMatch(/<!-- memories: [0-9a-f-]{36}(, [0-9a-f-]{36})* -->$/)
    }
    const categories = all.map(({ category }) => category)
    expect(new Set(categories).size).toBe(categories.length)
    expect(all.find(({ category }) => category === 'style guide').content).toContain('The user prefers short answers.')
    expect((await entryWith('ada', 'Lisbon')).content).toContain(memories.home ?? '')
    expect(all.some(({ content }) => content.includes('Porto'))).toBe(false)
  })

  test('merges into one profile, whose version is the sum of the versions', async () => {
    const all = await entries('ada', 'Acme', 'Lisbon', 'green tea', 'short answers')
    const { status, body } = await client.get('/v1/knowledge', { query: { user_id: 'ada', merged: true } })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['categories', 'content', 'version'])
    expect(body.version).toBe(all.reduce((sum, { version }) => sum + version, 0))
    expect(body.categories.toSorted()).toEqual(all.map(({ category }) => category).toSorted())
    for (const { content } of all) expect(body.content).toContain(content.trim())
  })

  test('is found by words of its content, and read by id', async () => {
    const entry = await entryWith('ada', 'Lisbon')
    const { body } = await client.get('/v1/knowledge', { query: { search: 'live lisbon' } })
    expect(body.data.map(({ id }: Json) => id)).toEqual([entry.id])
    expect((await client.get(`/v1/knowledge/${entry.id}`)).body).toEqual(entry)
    expect((await client.get(`/v1/knowledge/${NOBODY}`)).body.error_code).toBe('KNOWLEDGE_NOT_FOUND')
  })

  test('makes the profile of the user', async () => {
    await entries('ada', 'Acme', 'Lisbon', 'green tea')
    const profile = await until('a profile of Lisbon', async () => {
      const { body } = await client.get(`/v1/memories/profile/${workspaceId}/ada`)
      return body.profile?.summary.includes('Lisbon') && body.profile
    })
    expect(profile).toEqual({
      userId: 'ada',
      workspaceId,
      summary: expect.stringContaining('Acme'),
      topics: expect.arrayContaining(['Acme', 'Lisbon']),
      entityCount: expect.any(Number),
      extractedAt: ISO,
    })
    expect((await client.get(`/v1/memories/profile/${workspaceId}/nobody`)).body).toEqual({ profile: null })
  })
})

describe('an edit by hand', () => {
  test('is a version more and survives compilations; what its memories say more comes beside it', async () => {
    const entry = await entryWith('ada', 'short answers')
    const content = `${entry.content}\n## Notes\n\nNever before nine.\n`
    const edited = await client.put(`/v1/knowledge/${entry.id}`, { content, version: entry.version })
    expect([edited.status, edited.body]).toEqual([
      200,
      { ...entry, content, version: entry.version + 1, updated_at: ISO },
    ])
    const stale = await client.put(`/v1/knowledge/${entry.id}`, { content, version: entry.version })
    expect(stale.body.error_code).toBe('KNOWLEDGE_CHANGED')
    await remember(client, 'I dislike long mails.', { user_id: 'ada', categories: ['style guide'] })
    const after = await entryWith('ada', 'long mails')
    expect([after.id, after.version]).toEqual([entry.id, entry.version + 2])
    expect(after.content).toContain('\n## Notes\n\nNever before nine.\n')
  })

  test('refuses what is blank', async () => {
    const { id } = await entryWith('ada', 'Lisbon')
    expect((await client.put(`/v1/knowledge/${id}`, { content: ' ' })).body.error_code).toBe('VALIDATION_ERROR')
  })
})

test('a deleted memory is out of knowledge and profile when the deletion answers', async () => {
  await entries('ada', 'green tea')
  expect((await client.delete(`/v1/memories/${memories.tea}`)).status).toBe(204)
  const merged = await client.get('/v1/knowledge', { query: { merged: true } })
  expect(merged.body.content).not.toContain('green tea')
  expect(merged.body.content).not.toContain(memories.tea ?? '')
  const { body } = await client.get(`/v1/memories/profile/${workspaceId}/ada`)
  expect(body.profile.summary).not.toContain('tea')
})

test('a contradiction moves the older statement to the earlier ones', async () => {
  await entryWith('bo', 'Porto')
  await remember(client, 'I moved to Berlin.', { user_id: 'bo' })
  const entry = await until('the move', async () => {
    const all = await entries('bo', 'Berlin')
    return all.find(({ content }) => /## Earlier\n\n- The user lives in Porto\./.test(content))
  })
  expect(entry.content.split('## Earlier')[0]).toContain('Berlin')
})

test('a deleted entry comes back when it is compiled', async () => {
  const { id, category } = await entryWith('ada', 'Lisbon')
  expect((await client.delete(`/v1/knowledge/${id}`)).status).toBe(204)
  expect((await client.get(`/v1/knowledge/${id}`)).status).toBe(404)
  const response = await client.post('/v1/knowledge/compile', { user_id: 'ada', category })
  expect([response.status, response.body]).toEqual([202, { message: expect.any(String) }])
  expect((await entryWith('ada', 'Lisbon')).category).toBe(category)
})
