import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../../test/support/client.ts'
import { idleService } from '../../../test/support/service.ts'
import { type KnowledgeWorld, knowledgeWorld } from '../world.test-support.ts'
import { editKnowledgeRoute } from './edit-knowledge.ts'
import { getKnowledgeRoute } from './get-knowledge.ts'
import { listKnowledgeRoute } from './list-knowledge.ts'

const caller = (id = 'editor', permission = 'knowledge.write') => ({ id, permissions: new Set([permission]) })

/** The route with the world's own statements behind it. */
async function put({ scope, tenant }: KnowledgeWorld, id: string, body: object): Promise<Json> {
  const input = { params: { id }, body, query: {}, scope, tenant, caller: caller(), request: {}, requestId: '' }
  const answer = await editKnowledgeRoute.handle(input as never)
  return 'body' in answer ? answer.body : undefined
}

async function read({ tenant }: KnowledgeWorld, id: string, by = caller()): Promise<Json> {
  const answer = await getKnowledgeRoute.handle({ params: { id }, tenant, caller: by } as never)
  return 'body' in answer ? answer.body : undefined
}

async function compiled(): Promise<{ world: KnowledgeWorld; entry: Json }> {
  const world = await knowledgeWorld()
  world.say('Ada likes tea.')
  world.say('Ada likes jazz.')
  await world.compile('ada', 'preferences')
  world.published.length = 0
  return { world, entry: (await world.entries('ada')).get('preferences') }
}

describe('PUT /v1/knowledge/:id', () => {
  test('counts as heavy: a long content is taken apart at one go, so few of a workspace are at work', () => {
    expect(editKnowledgeRoute.share).toBe('heavy')
  })

  test('makes the text the content: next version, one event, and compilations leave it as it is', async () => {
    const { world, entry } = await compiled()
    const content = `${entry.content.replace('Ada likes jazz.', 'Ada loves *jazz*.')}\n## Notes\n\nAsk her.\n`
    const answer = await put(world, entry.id, { content, version: 1 })
    expect(answer).toEqual({ ...entry, content, version: 2, updated_at: expect.any(String) })
    expect((await world.client.get(`/v1/knowledge/${entry.id}`)).body).toEqual(answer)
    expect(world.published.map(({ kind, data }) => [kind, data])).toEqual([
      ['knowledge.updated', { user_id: 'ada', categories: [{ id: entry.id, category: 'preferences', version: 2 }] }],
    ])
    await world.compile('ada', 'preferences')
    expect((await world.entries('ada')).get('preferences')).toEqual(answer)
    world.say('Ada likes rain.')
    await world.compile('ada', 'preferences')
    const after = (await world.entries('ada')).get('preferences')
    expect(after.version).toBe(3)
    for (const part of ['rain', 'loves *jazz*', '## Notes\n\nAsk her.']) expect(after.content).toContain(part)
    expect(after.content).not.toContain('likes jazz')
  })

  test('refuses more text than a line of an export can hold', async () => {
    const { world, entry } = await compiled()
    // Four bytes each, as two UTF-16 units.
    const refused = await put(world, entry.id, { content: '😀'.repeat(262_000) }).catch(error => error)
    expect([refused.code, refused.details?.[0]?.path]).toEqual(['VALIDATION_ERROR', 'content'])
    const content = '😀'.repeat(250_000)
    expect((await put(world, entry.id, { content })).content).toContain(content)
  })

  test('takes a text with more different words than an index holds', async () => {
    const { world, entry } = await compiled()
    const words = Array.from({ length: 140_000 }, (_, n) => n.toString(36).padStart(4, 'q')).join(' ')
    expect((await put(world, entry.id, { content: words.slice(0, 390_000) })).version).toBe(2)
    const pairs = Array.from({ length: 300_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * (1 + (n % 97))) % 20_000)),
    )
    expect((await put(world, entry.id, { content: pairs.join('') })).version).toBe(3)
  })

  test('of the same text changes nothing', async () => {
    const { world, entry } = await compiled()
    expect(await put(world, entry.id, { content: entry.content })).toEqual(entry)
    expect(world.published).toEqual([])
  })

  test('leaves an entry out of which everything was taken, and takes it back with DELETE only', async () => {
    const { world, entry } = await compiled()
    const answer = await put(world, entry.id, { content: '# Preferences' })
    expect(answer.content).toBe('# Preferences\n')
    await world.compile('ada', 'preferences')
    expect(await world.content('ada', 'preferences')).toBe('# Preferences\n')
    await world.client.delete(`/v1/knowledge/${entry.id}`)
    await world.compile('ada', 'preferences')
    expect(await world.content('ada', 'preferences')).toContain('jazz')
  })

  test('that takes the last words out leaves the title, until the next compilation', async () => {
    const { world, entry } = await compiled()
    await put(world, entry.id, { content: `${entry.content}\n## Notes\n\nAsk her.\n` })
    world.statements.length = 0
    await world.compile('ada', 'preferences')
    expect(await world.content('ada', 'preferences')).toBe('# Preferences\n\n## Notes\n\nAsk her.\n')
    const answer = await put(world, entry.id, { content: '# Preferences\n' })
    expect(answer).toMatchObject({ id: entry.id, content: '# Preferences\n', version: 4 })
    await world.compile('ada', 'preferences')
    expect((await world.entries('ada')).has('preferences')).toBe(false)
  })

  test('of an older version is 409 and changes nothing', async () => {
    const { world, entry } = await compiled()
    await put(world, entry.id, { content: 'By hand.' })
    await expect(put(world, entry.id, { content: 'Late.', version: 1 })).rejects.toMatchObject({
      code: 'KNOWLEDGE_CHANGED',
      status: 409,
    })
    expect(await world.content('ada', 'preferences')).toContain('By hand.')
  })

  test('without a version leaves lines in that nobody has read yet, and takes out those that were read', async () => {
    const { world, entry } = await compiled()
    world.say('Ada is allergic to nuts.')
    await world.compile('ada', 'preferences')
    const late = await put(world, entry.id, { content: entry.content.replace(/^.*jazz.*\n/m, '') })
    expect(late.content).toContain('nuts')
    expect(late.content).not.toContain('jazz')
    // That answer showed it.
    const again = await put(world, entry.id, { content: late.content.replace(/^.*nuts.*\n/m, '') })
    expect(again.content).not.toContain('nuts')
    world.say('Ada likes rain.')
    await world.compile('ada', 'preferences')
    await read(world, entry.id)
    expect((await put(world, entry.id, { content: again.content })).content).not.toContain('rain')
    world.say('Ada likes wind.')
    await world.compile('ada', 'preferences')
    const { version } = (await world.client.get(`/v1/knowledge/${entry.id}`)).body
    world.say('Ada likes snow.')
    await world.compile('ada', 'preferences')
    await expect(put(world, entry.id, { content: again.content, version })).rejects.toMatchObject({ status: 409 })
  })

  test('without a version leaves lines in that only others have read', async () => {
    const { world, entry } = await compiled()
    const { content } = await read(world, entry.id)
    world.say('Ada is allergic to nuts.')
    await world.compile('ada', 'preferences')
    await read(world, entry.id, caller('other'))
    await read(world, entry.id, caller('console', 'knowledge.read'))
    await world.client.get('/v1/knowledge', { query: { user_id: 'ada' } })
    expect((await put(world, entry.id, { content })).content).toContain('nuts')
    world.say('Ada likes rain.')
    await world.compile('ada', 'preferences')
    const query = { merged: true, page: 1, page_size: 20 }
    await listKnowledgeRoute.handle({ query, tenant: world.tenant, caller: caller() } as never)
    expect((await put(world, entry.id, { content })).content).not.toContain('rain')
  })

  test('without a version brings nothing back that went since it was read', async () => {
    const { world, entry } = await compiled()
    const { content } = await read(world, entry.id)
    world.statements.shift()
    await world.compile('ada', 'preferences')
    // Others' reading tells nothing of what the editor has.
    await read(world, entry.id, caller('other'))
    const plain = content.replace(/ <!--.*-->/g, '')
    expect((await put(world, entry.id, { content: plain })).content).not.toContain('tea')
    // That answer did not have it, so now it is meant.
    expect((await put(world, entry.id, { content: plain })).content).toContain('tea')
  })

  test('notes a bounded number of readers, each once for what is new', async () => {
    const { world, entry } = await compiled()
    const stored = () =>
      world.tenant.transaction(async tx => {
        const [row] = await tx<{ xmin: string; readers: object }[]>`
          select entry.xmin::text, entry.readers from knowledge.entry where entry.id = ${entry.id}`
        return row
      })
    for (let n = 0; n < 25; n++) await read(world, entry.id, caller(`reader-${n}`))
    const before = await stored()
    expect(Object.keys(before?.readers ?? {}).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `reader-${n + 5}`).toSorted(),
    )
    await read(world, entry.id, caller('reader-7'))
    await read(world, entry.id, caller('console', 'knowledge.read'))
    expect((await stored())?.xmin).toBe(before?.xmin ?? '')
  })

  test('can be found by what was written by hand, and not by what was taken out', async () => {
    const { world, entry } = await compiled()
    await put(world, entry.id, { content: 'She collects stamps.' })
    const total = async (search: string) => (await world.client.get('/v1/knowledge', { query: { search } })).body.total
    expect([await total('stamps'), await total('jazz')]).toEqual([1, 0])
  })

  test('is 400 for a blank or too long text, 404 for what there is not', async () => {
    const { world, entry } = await compiled()
    for (const body of [
      {},
      { content: ' \n' },
      { content: 'x'.repeat(400_001) },
      { content: 'x', version: 0 },
      { content: 1 },
    ]) {
      const { status, body: answer } = await world.client.put(`/v1/knowledge/${entry.id}`, body)
      expect([status, answer.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    const { client: other } = await (await idleService()).account()
    for (const [client, id] of [
      [world.client, randomUUID()],
      [other, entry.id],
    ] as const) {
      const { status, body } = await client.put(`/v1/knowledge/${id}`, { content: 'x' })
      expect([status, body.error_code]).toEqual([404, 'KNOWLEDGE_NOT_FOUND'])
    }
    expect(await world.content('ada', 'preferences')).toBe(entry.content)
  })

  test('is 401 without a key, 403 without knowledge.write or the plan feature', async () => {
    const { anonymous, account } = await idleService()
    const path = `/v1/knowledge/${randomUUID()}`
    expect((await anonymous.put(path, { content: 'x' })).status).toBe(401)
    const reader = await (await account()).key({ permissions: ['knowledge.read', 'knowledge.delete'] })
    expect((await reader.put(path, { content: 'x' })).body.error_code).toBe('FORBIDDEN')
    const { client } = await account({ plan: 'free' })
    expect((await client.put(path, { content: 'x' })).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })
})
