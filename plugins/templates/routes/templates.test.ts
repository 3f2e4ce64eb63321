import { beforeAll, describe, expect, test } from 'bun:test'
import { idleService, startService, type TestAccount } from '../../../test/support/service.ts'
import { storeRows } from '../../memories/stored-rows.test-support.ts'

const PATH = '/v1/templates'
const welcome = {
  name: ' Welcome ',
  description: 'For new customers.',
  variables: [
    { name: 'customer' },
    { name: 'plan', required: false, default: 'pro' },
    { name: 'note', required: false },
  ],
  memories: [
    { memory: '{{customer}} is on the {{ plan }} plan.', categories: ['{{plan}}', 'work'], priority: 'HIGH' },
    { memory: 'Call {{customer}}. {{note}}', layer: 'TASK', metadata: { who: ['{{customer}}'], n: 1 } },
  ],
}

let account: TestAccount
const make = async (fields: object = {}) => (await account.client.post(PATH, { ...welcome, ...fields })).body

beforeAll(async () => {
  account = await (await idleService()).account()
})

describe('templates', () => {
  test('are created, read, listed, changed and deleted', async () => {
    const { client } = await (await idleService()).account()
    const created = await client.post(PATH, welcome)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      name: 'Welcome',
      description: 'For new customers.',
      variables: [
        { name: 'customer', required: true, default: null },
        { name: 'plan', required: false, default: 'pro' },
        { name: 'note', required: false, default: null },
      ],
      memories: [
        { memory: '{{customer}} is on the {{ plan }} plan.', priority: 'HIGH', metadata: null, layer: 'RAW' },
        { categories: [], priority: 'MEDIUM', metadata: { who: ['{{customer}}'], n: 1 }, layer: 'TASK' },
      ],
    })
    const path = `${PATH}/${created.body.id}`
    expect((await client.get(path)).body).toEqual(created.body)
    const newer = (await client.post(PATH, { name: 'B', memories: [{ memory: 'Plain.' }] })).body
    const list = (await client.get(PATH)).body
    expect(list).toEqual({ data: [newer, created.body], total: 2, page: 1, page_size: 20 })
    expect((await client.get(PATH, { query: { page: 2, page_size: 1 } })).body.data).toEqual([created.body])

    const changed = await client.patch(path, { name: 'Hello', description: null })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ name: 'Hello', description: null, memories: created.body.memories })
    expect((await client.get(path)).body).toEqual(changed.body)
    expect((await client.delete(path)).status).toBe(204)
    for (const gone of [await client.get(path), await client.patch(path, { name: 'X' }), await client.delete(path)]) {
      expect([gone.status, gone.body.error_code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
    }
  })

  test('name every fault', async () => {
    const faultsOf = async (fields: object) => {
      const { status, body } = await account.client.post(PATH, { ...welcome, ...fields })
      expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
      return body.details.map(({ path, message }: Record<string, string>) => `${path} ${message}`)
    }
    expect(await faultsOf({ memories: [{ memory: 'Hi {{customer}} and {{other}}, {{user-name}}' }] })).toEqual([
      'memories.0 {{user-name}} is no placeholder: write {{name}}, with letters, digits and _',
      'memories.0 {{other}} is not among the variables',
    ])
    expect(
      await faultsOf({ variables: [{ name: 'customer' }, { name: 'plan' }, { name: 'note' }, { name: 'plan' }] }),
    ).toEqual(['variables.3.name plan is named twice'])
    expect(await faultsOf({ memories: [] })).toEqual(['memories must have at least 1 item'])
    expect(await faultsOf({ variables: [{ name: '1st' }], memories: [{ memory: 'x' }] })).toEqual([
      'variables.0.name must begin with a letter or _ and hold only letters, digits and _, at most 64',
    ])
    const long = Array.from({ length: 3 }, () => ({ memory: 'é'.repeat(20_000) }))
    expect(await faultsOf({ memories: long })).toEqual([
      'memories the whole template must have at most 100000 bytes of JSON',
    ])
    const { id } = await make()
    const refused = await account.client.patch(`${PATH}/${id}`, { variables: [] })
    expect([refused.status, refused.body.details.length]).toEqual([400, 4])
  })
})

describe('POST /v1/templates/:id/apply', () => {
  test('stores the memories with their values, for the user that is named', async () => {
    const { id } = await make()
    const body = { user_id: 'ada', session_id: 's1', variables: { customer: 'Acme {{plan}} & <Co>', note: '😀' } }
    const applied = await account.client.post(`${PATH}/${id}/apply`, body)
    expect(applied.status).toBe(201)
    expect(applied.body).toMatchObject({
      memories_created: 2,
      memories_skipped: 0,
      memories: [
        {
          memory: 'Acme {{plan}} & <Co> is on the pro plan.',
          categories: ['pro', 'work'],
          priority: 'HIGH',
          source: 'TEMPLATE',
          user_id: 'ada',
          session_id: 's1',
        },
        { memory: 'Call Acme {{plan}} & <Co>. 😀', metadata: { who: ['Acme {{plan}} & <Co>'], n: 1 } },
      ],
    })
    const [, task] = applied.body.memories
    const stored = (await account.client.get(`/v1/memories/${task.id}`)).body
    expect([stored.layer, typeof stored.expires_at]).toEqual(['TASK', 'string'])

    const again = await account.client.post(`${PATH}/${id}/apply`, {
      ...body,
      variables: { ...body.variables, plan: 'free' },
    })
    expect(again.body).toMatchObject({ memories_created: 1, memories_skipped: 1 })
    expect(again.body.memories[0].memory).toContain('on the free plan')
  })

  test('stores the same words for one user after another', async () => {
    const { client } = await (await idleService()).account()
    const { id } = (await client.post(PATH, { name: 'Manners', memories: [{ memory: 'Prefers short replies.' }] })).body
    const apply = async (user_id: string) => (await client.post(`${PATH}/${id}/apply`, { user_id })).body
    expect(await apply('ada')).toMatchObject({ memories_created: 1, memories_skipped: 0 })
    expect(await apply('bob')).toMatchObject({
      memories_created: 1,
      memories: [{ memory: 'bob: Prefers short replies.' }],
    })
    expect(await apply('bob')).toMatchObject({ memories_created: 0, memories_skipped: 1 })
  })

  test('makes what the user has until some time permanent, where the template would have stored it for good', async () => {
    const { client } = await (await idleService()).account()
    const memories = [{ memory: 'Prefers short replies.' }, { memory: 'Ask about the move.', layer: 'TASK' }]
    const { id } = (await client.post(PATH, { name: 'Manners', memories })).body
    const held = memories.map(({ memory }) => ({ memory, user_id: 'ada', layer: 'TASK' }))
    const { results } = (await client.post('/v1/memories/batch', { memories: held })).body
    const { body } = await client.post(`${PATH}/${id}/apply`, { user_id: 'ada' })
    expect(body).toMatchObject({ memories_created: 0, memories_skipped: 2 })
    const layers = results.map(async (result: { memory: { id: string } }) => {
      return (await client.get(`/v1/memories/${result.memory.id}`)).body.layer
    })
    expect(await Promise.all(layers)).toEqual(['RAW', 'TASK'])
  })

  test('a missing variable, or one that the template lacks, is 400 and stores nothing', async () => {
    const { client } = await (await idleService()).account()
    const { id } = (await client.post(PATH, welcome)).body
    for (const [variables, path] of [
      [{}, 'variables.customer'],
      [{ customer: 'A', plann: 'x' }, 'variables.plann'],
    ] as const) {
      for (const action of ['apply', 'preview']) {
        const { status, body } = await client.post(`${PATH}/${id}/${action}`, { variables })
        expect([status, body.error_code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
      }
    }
    const grown = await client.post(`${PATH}/${id}/apply`, { variables: { customer: 'A', plan: 'x'.repeat(200) } })
    expect(grown.body.details).toEqual([
      { path: 'memories.0.categories.0', message: 'must have at most 100 characters with these values' },
    ])
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })

  test('values cannot make more of a template than a memory may be', async () => {
    const { client } = await (await idleService()).account()
    const faultsOf = async (memory: object, length: number) => {
      const made = await client.post(PATH, { name: 'Large', variables: [{ name: 'a' }], memories: [memory] })
      expect(made.status).toBe(201)
      const { body } = await client.post(`${PATH}/${made.body.id}/apply`, { variables: { a: 'x'.repeat(length) } })
      return body.details.map(({ path }: { path: string }) => path)
    }
    expect(await faultsOf({ memory: '{{a}}'.repeat(9000) }, 9000)).toEqual(['variables'])
    expect(await faultsOf({ memory: '{{a}}'.repeat(10) }, 9000)).toEqual(['memories.0.memory'])
    const metadata = { note: '{{a}}'.repeat(10) }
    expect(await faultsOf({ memory: 'Plain.', metadata }, 9000)).toEqual(['memories.0.metadata'])
    expect(await faultsOf({ memory: '{{a}}' }, 0)).toEqual(['memories.0.memory'])
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })

  test('stores all of them or none, where the plan has no room', async () => {
    const { account: accountOf, database } = await startService({ WORKERS: 'none', PLAN_FEATURES: 'free:templates' })
    const { client, workspaceId } = await accountOf({ plan: 'free' })
    const { id } = (await client.post(PATH, welcome)).body
    await storeRows(database, workspaceId, 9999)
    const refused = await client.post(`${PATH}/${id}/apply`, { variables: { customer: 'Acme' } })
    expect([refused.status, refused.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect((await client.get('/v1/memories')).body.total).toBe(9999)
  })

  test('preview shows what would be stored', async () => {
    const { client } = await (await idleService()).account()
    const { id } = (await client.post(PATH, welcome)).body
    const preview = await client.post(`${PATH}/${id}/preview`, { variables: { customer: 'Acme' } })
    expect([preview.status, preview.body.memories.map(({ memory }: { memory: string }) => memory)]).toEqual([
      200,
      ['Acme is on the pro plan.', 'Call Acme. '],
    ])
    expect((await client.get('/v1/memories')).body.total).toBe(0)
  })
})

describe('built-in templates', () => {
  test('are listed, and each can be copied, changed and applied', async () => {
    const { client } = await (await idleService()).account()
    const { data, total } = (await client.get(`${PATH}/built-in`)).body
    expect([data.length, total]).toEqual([3, 3])
    const second = (await client.get(`${PATH}/built-in`, { query: { page: 2, page_size: 2 } })).body
    expect(second).toEqual({ data: data.slice(2), total: 3, page: 2, page_size: 2 })
    for (const builtIn of data) {
      const copy = await client.post(`${PATH}/built-in/${builtIn.key}/copy`, undefined)
      expect(copy.status).toBe(201)
      expect({ key: builtIn.key, ...copy.body }).toMatchObject(builtIn)
      expect((await client.patch(`${PATH}/${copy.body.id}`, { name: 'Mine' })).status).toBe(200)
      const needed = copy.body.variables.filter((variable: { required: boolean }) => variable.required)
      const variables = Object.fromEntries(needed.map(({ name }: { name: string }) => [name, `the ${name}`]))
      const applied = await client.post(`${PATH}/${copy.body.id}/apply`, { variables })
      expect(applied.body.memories_created).toBe(builtIn.memories.length)
    }
    const unknown = await client.post(`${PATH}/built-in/nothing/copy`, undefined)
    expect([unknown.status, unknown.body.error_code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
  })
})

describe('access', () => {
  test('follows permissions, plan and workspace', async () => {
    const { anonymous, account: accountOf } = await idleService()
    const { id } = await make()
    expect((await anonymous.get(PATH)).status).toBe(401)
    const reader = await account.key({ permissions: ['template.read'] })
    expect((await reader.get(`${PATH}/${id}`)).status).toBe(200)
    for (const refused of [
      await reader.post(PATH, {}),
      await reader.patch(`${PATH}/${id}`, {}),
      await reader.post(`${PATH}/${id}/apply`, {}),
      await reader.delete(`${PATH}/${id}`),
    ]) {
      expect([refused.status, refused.body.error_code]).toEqual([403, 'FORBIDDEN'])
    }
    const free = await accountOf({ plan: 'free' })
    expect((await free.client.get(PATH)).body.error_code).toBe('FEATURE_NOT_ENABLED')
    const other = await accountOf()
    expect((await other.client.get(`${PATH}/${id}`)).body.error_code).toBe('TEMPLATE_NOT_FOUND')
    expect((await other.client.post(`${PATH}/${id}/apply`, {})).status).toBe(404)
    expect((await other.client.get(PATH)).body.total).toBe(0)
  })
})
