import { describe, expect, test } from 'bun:test'
import { until } from '../support/wait.ts'
import { processed, subject } from './subject.ts'

const PATH = '/v1/context'

async function account(options: { plan?: string } = {}) {
  return (await subject()).account(options)
}

describe('a context for a prompt', () => {
  test('goes by when something was said, where that was before it was stored', async () => {
    const { client } = await account()
    const said = (memory: string, day: string) =>
      client.post('/v1/memories', { memory, user_id: 'ada', metadata: { said_at: `${day}T09:00:00Z` } })
    await said('Grace moved to Porto.', '2026-05-02')
    await said('Grace moved to Bergen.', '2024-11-20')
    const context = await until('the graph has read both', async () => {
      const { body } = await client.post(PATH, { query: 'Where does Grace live?', user_id: 'ada' })
      return body.context.includes('Porto') && body.context.includes('(holds no more)') ? body.context : undefined
    })
    expect(context).toMatch(/- 2024-11-20 \(holds no more\): Grace moved to Bergen\./)
    expect(context).toMatch(/- 2026-05-02: Grace moved to Porto\./)
  })

  test('has the profile, what is known of those who are named, and memories with what holds no more', async () => {
    const { client } = await account()
    for (const memory of ['I keep bees.', 'Grace works at Acme.', 'Grace left Acme and joined Initech.'])
      await client.post('/v1/memories', { memory, user_id: 'ada' })
    const hidden = await client.post('/v1/memories', { memory: 'Grace lives in Porto.', user_id: 'bob' })
    for (const memory of ['Otto Lind works at Globex.', 'Mia Berg works at Umbra.', 'Mia does not eat fish.'])
      await client.post('/v1/memories', { memory, user_id: 'ada' })
    const ask = () => client.post(PATH, { query: 'What should I cook for Grace?', user_id: 'ada' })
    const { body } = await until('the graph and the profile are there', async () => {
      const response = await ask()
      const all = ['## About the user', '## Facts'].every(part => response.body.context.includes(part))
      return all ? response : undefined
    })
    const { body: employed } = await until('the graph knows what is over', async () => {
      const response = await client.post(PATH, { query: 'Where does Grace work, at Acme?', user_id: 'ada' })
      return response.body.context.includes('(holds no more)') ? response : undefined
    })
    expect(body.context).toMatch(/## Facts\n\n- Grace works at Initech.*\n- Grace worked at Acme/)
    expect(employed.context).toMatch(/\n- \d{4}-\d{2}-\d{2} \d\d:\d\d \(holds no more\): Grace works at Acme\./)
    expect(body.context).not.toContain('Porto')
    expect(body.memories.map(({ id }: { id: string }) => id)).not.toContain(hidden.body.id)
    const ofAll = await until('the graph has read what another user says', async () => {
      const response = await client.post(PATH, { query: 'Who is Grace?' })
      return response.body.context.includes('- Grace lives in Porto') ? response : undefined
    })
    expect(ofAll.body.context).not.toContain('## About')
    expect((await ask()).body.context).not.toContain('Porto')
    for (const [name, fact] of [
      ['Otto', '- Otto Lind works at Globex'],
      ['Mia', '- Mia Berg works at Umbra'],
    ])
      await until(`what is known of ${name}`, async () => {
        const response = await client.post(PATH, { query: `What should I cook for ${name}?`, user_id: 'ada' })
        return response.body.context.includes(fact) || undefined
      })
    expect(employed.memories).toContainEqual({
      id: expect.any(String),
      score: expect.any(Number),
      excerpt: false,
      ended: true,
    })
  })

  test('brings along a later memory about the same thing, unless a filter leaves it out', async () => {
    const { client } = await account()
    const say = async (memory: string, day: string, agent_id: string) => {
      const { body } = await client.post('/v1/memories', {
        ...{ memory, user_id: 'ada', agent_id, metadata: { said_at: `${day}T09:00:00Z` } },
      })
      await processed(client, body.id)
    }
    await say('I am in the office on Tuesdays, and work from home otherwise.', '2025-03-01', 'desk')
    await say('The office is on Mondays these days, I work from home otherwise.', '2026-05-02', 'door')
    const context = async (filter: object) =>
      (await client.post(PATH, { query: 'office', user_id: 'ada', ...filter })).body.context
    expect(await context({})).toContain(
      '- 2026-05-02: The office is on Mondays these days, I work from home otherwise.\n- 2025-03-01 (earlier): I am in',
    )
    expect(await context({ agent_id: 'desk' })).toContain('- 2025-03-01 (earlier): I am in the office on Tuesdays')
    expect(await context({ agent_id: 'desk' })).not.toContain('Mondays')
  })

  test('begins with what the user said that always holds, dated, whatever the message is about', async () => {
    const { client } = await account()
    const say = async (memory: string, day: string, fields: object = {}) => {
      const { body } = await client.post('/v1/memories', {
        ...{ memory, user_id: 'ada', metadata: { said_at: `${day}T09:00:00Z` } },
        ...fields,
      })
      await processed(client, body.id)
      return body.id
    }
    const order = await say('Always answer in French.', '2026-05-20')
    await say('I am allergic to walnuts.', '2026-02-11')
    await say('My name is Oluwaseun Adeyemi.', '2026-01-02')
    await say('The house rules hang by the door.', '2025-12-01', { categories: ['standing'] })
    await say('Never mention the garden.', '2026-06-01', { agent_id: 'gardener' })
    await say('Never mention money.', '2026-06-02', { user_id: 'bob' })
    await say('The kettle sings at noon.', '2026-06-03')
    await say('Never mention the roof.', '2026-06-04', { metadata: { said_by: 'assistant' } })
    const ask = async (fields: object) => (await client.post(PATH, { query: 'kettle', ...fields })).body
    const section = (context: string) => context.split('\n\n## ')[0]?.split('\n').slice(2)
    const lines = [
      '- 2026-05-20: Always answer in French.',
      '- 2026-02-11: I am allergic to walnuts.',
      '- 2026-01-02: My name is Oluwaseun Adeyemi.',
      '- 2025-12-01: The house rules hang by the door.',
    ]
    const { context } = await ask({ user_id: 'ada', agent_id: 'cook' })
    expect(context).toStartWith('## Standing instructions and identity\n\n')
    expect(section(context)).toEqual(lines)
    expect(section((await ask({ user_id: 'ada' })).context)).toEqual([
      '- 2026-06-01: Never mention the garden.',
      ...lines,
    ])
    expect((await ask({})).context).not.toContain('Standing')
    const short = await ask({ query: 'In which language? Answer in French?', user_id: 'ada', max_characters: 500 })
    expect(short.context).toContain(lines[0])
    expect(short.context.split('Always answer in French.')).toHaveLength(2)
    expect(short.memories).toContainEqual({ id: order, score: expect.any(Number), excerpt: false, ended: false })
    await client.put(`/v1/memories/${order}`, { memory: 'The door is green.' })
    expect((await ask({ user_id: 'ada' })).context).not.toContain('French')
  })

  test('is found for what a long message asks at its end', async () => {
    const { client } = await account()
    const { body: stored } = await client.post('/v1/memories', { memory: 'The kettle sings at noon.' })
    await processed(client, stored.id)
    const query = `${'A line of a log that says nothing much. '.repeat(1200)}When does the kettle sing?`
    const { status, body } = await client.post(PATH, { query })
    expect([status, body.memories.map(({ id }: { id: string }) => id)]).toEqual([200, [stored.id]])
  })

  test('has no memory that scores below min_score', async () => {
    const { client } = await account()
    for (const [user_id, memory] of [
      ['ada', 'The kettle sings at noon.'],
      ['bob', 'The red kettle is from Delft.'],
    ]) {
      const { body } = await client.post('/v1/memories', { memory, user_id })
      await processed(client, body.id)
    }
    const query = 'When does the kettle sing?'
    const all = (await client.post(PATH, { query })).body.memories.map(({ score }: { score: number }) => score)
    const best = Math.max(...all)
    const { body } = await client.post(PATH, { query, min_score: best })
    expect(all).toHaveLength(2)
    expect(body.memories).toMatchObject([{ score: best }])
    expect(body.context).not.toContain('Delft')
    expect((await client.post(PATH, { query, min_score: -0.1 })).body.details).toMatchObject([{ path: 'min_score' }])
  })

  test('trims the categories that it is narrowed down to, as a search does', async () => {
    const { client } = await account()
    const { body: stored } = await client.post('/v1/memories', {
      memory: 'The kettle sings.',
      categories: [' kitchen '],
    })
    await processed(client, stored.id)
    const { body } = await client.post(PATH, { query: 'kettle', categories: ['kitchen '] })
    expect(body.memories.map(({ id }: { id: string }) => id)).toEqual([stored.id])
  })

  test('counts as a search, whose memories take feedback', async () => {
    const { client } = await account()
    const { body: stored } = await client.post('/v1/memories', { memory: 'The kettle sings at noon.' })
    await processed(client, stored.id)
    const { status, body } = await client.post(PATH, { query: 'kettle' })
    expect([status, body.memories]).toEqual([
      200,
      [{ id: stored.id, score: expect.any(Number), excerpt: false, ended: false }],
    ])
    expect(body.context).toMatch(/^## Memories\n\n- \d{4}-\d{2}-\d{2}: The kettle sings at noon\.$/)
    const feedback = { signal: 'POSITIVE', query_hash: body.query_hash }
    expect((await client.post(`/v1/memories/${stored.id}/feedback`, feedback)).status).toBe(204)
  })

  test('keeps to its length, and to the agent, the session and the categories', async () => {
    const { client } = await account()
    const scope = { agent_id: 'cook', session_id: 's1', categories: ['food'] }
    for (const [n, own] of [{}, scope, scope].entries())
      await client.post('/v1/memories', {
        memory: `Walnuts of lot ${n}. ${'They are stored dry. '.repeat(40)}`,
        ...own,
      })
    const { body } = await client.post(PATH, { query: 'walnuts', ...scope, max_characters: 500 })
    expect(body.context.length).toBeLessThanOrEqual(500)
    expect(body.context).toMatch(/Walnuts of lot [12]\./)
    expect(body.context).not.toContain('lot 0')
    expect(body.memories[0]).toMatchObject({ excerpt: true })
  })

  test('has memories alone where the plan has no graph any more', async () => {
    const { client, signIn, workspaceId } = await account({ plan: 'pro' })
    await client.post('/v1/memories', { memory: 'Grace works at Acme.', user_id: 'ada' })
    const ask = () => client.post(PATH, { query: 'Grace', user_id: 'ada' })
    await until('the graph has read it', async () => (await ask()).body.context.includes('## Facts') || undefined)
    expect((await (await signIn()).patch(`/v1/workspaces/${workspaceId}`, { plan: 'free' })).status).toBe(200)
    const { body } = await until('the plan to count', async () => {
      const response = await ask()
      return response.body.context.includes('## Facts') ? undefined : response
    })
    expect(body.context).toMatch(/^## Memories\n\n- \d{4}-\d{2}-\d{2}: Grace works at Acme\.$/)
  })

  test('is empty in an empty workspace', async () => {
    const { client } = await account()
    const { status, body } = await client.post(PATH, { query: 'anything', user_id: 'ada' })
    expect([status, body.context, body.memories]).toEqual([200, '', []])
  })

  test('is refused for what is no question, and to keys that may not read', async () => {
    const { client, key } = await account()
    for (const body of [
      {},
      { query: ' ' },
      { query: 'x'.repeat(50_001) },
      { query: 'x', max_characters: 100 },
      { query: 'x', limit: 3 },
    ])
      expect(await client.post(PATH, body)).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
    const writer = await key({ permissions: ['memory.write'] })
    expect(await writer.post(PATH, { query: 'x' })).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  })
})
