import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestAccount } from '../support/accounts.ts'
import type { Client, Json } from '../support/client.ts'
import { ISO, NOBODY, type Subject, subject, UUID } from './subject.ts'

const PATH = '/v1/templates'
const TEMPLATE = {
  name: 'New customer',
  description: null,
  variables: [{ name: 'customer', required: true, default: null }],
  memories: [
    { memory: '{{customer}} was met.', categories: [], priority: 'LOW', metadata: { from: 'x' }, layer: 'RAW' },
  ],
}

let service: Subject
let account: TestAccount
let client: Client
beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
})

const make = async (fields: object = {}): Promise<Json> => (await client.post(PATH, { ...TEMPLATE, ...fields })).body
const totalOf = async (of: Client) => (await of.get('/v1/memories')).body.total

describe('templates', () => {
  test('are created, changed, applied and deleted', async () => {
    const made = await client.post(PATH, TEMPLATE)
    expect(made.status).toBe(201)
    const times = { created_at: ISO, updated_at: ISO }
    expect(made.body).toEqual({ id: UUID, ...TEMPLATE, ...times })
    const path = `${PATH}/${made.body.id}`
    expect((await client.get(path)).body).toEqual(made.body)
    const changed = await client.patch(path, { name: 'Known' })
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, name: 'Known', ...times }])
    const applied = await client.post(`${path}/apply`, { user_id: 'ada', variables: { customer: 'Acme' } })
    expect([applied.status, applied.body.memories_created]).toEqual([201, 1])
    expect(applied.body.memories).toMatchObject([{ memory: 'Acme was met.', user_id: 'ada', source: 'TEMPLATE' }])
    expect((await client.delete(path)).status).toBe(204)
    expect((await client.get(path)).body.error_code).toBe('TEMPLATE_NOT_FOUND')
    expect((await client.get(`/v1/memories/${applied.body.memories[0].id}`)).status).toBe(200)
  })

  test('have defaults for all but a name and a memory', async () => {
    const { status, body } = await client.post(PATH, { name: 'Plain', memories: [{ memory: 'The sea is blue.' }] })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      description: null,
      variables: [],
      memories: [{ memory: 'The sea is blue.', categories: [], priority: 'MEDIUM', metadata: null, layer: 'RAW' }],
    })
    const { body: applied } = await client.post(`${PATH}/${body.id}/apply`, {})
    expect(applied.memories).toMatchObject([
      { user_id: 'default', agent_id: null, session_id: null, status: 'PENDING' },
    ])
  })

  test('are listed in pages, newest first', async () => {
    const { client: own } = await service.account()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.unshift((await own.post(PATH, { ...TEMPLATE, name })).body.id)
    const { body } = await own.get(PATH)
    expect(body).toMatchObject({ total: 3, page: 1, page_size: 20 })
    expect(body.data.map(({ id }: Json) => id)).toEqual(ids)
    const { body: second } = await own.get(PATH, { query: { page: 2, page_size: 2 } })
    expect([second.data.map(({ id }: Json) => id), second.total]).toEqual([ids.slice(2), 3])
  })

  test.each([
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['no memories', { memories: [] }],
    ['more than 100 memories', { memories: Array.from({ length: 101 }, (_, n) => ({ memory: `Note ${n}.` })) }],
    ['a blank memory', { memories: [{ memory: ' ' }] }],
    ['a placeholder without a variable', { memories: [{ memory: '{{customer}} met {{other}}.' }] }],
    [
      'a placeholder in metadata without a variable',
      { memories: [{ memory: 'Met.', metadata: { who: '{{other}}' } }] },
    ],
    ['a variable that is named twice', { variables: [{ name: 'customer' }, { name: 'customer' }] }],
    ['a variable whose name is none', { variables: [{ name: 'customer' }, { name: '1st' }] }],
    ['an unknown layer', { memories: [{ memory: 'Met.', layer: 'LONG' }] }],
    ['an unknown field', { owner: 'ada' }],
  ])('with %s are 400', async (_, fields) => {
    const { status, body } = await client.post(PATH, { ...TEMPLATE, ...fields })
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('stay as they were where a change would make them faulty', async () => {
    const made = await make()
    const { status, body } = await client.patch(`${PATH}/${made.id}`, { variables: [] })
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await client.get(`${PATH}/${made.id}`)).body).toEqual(made)
  })

  test('of another workspace, or with an unknown id, are 404 TEMPLATE_NOT_FOUND', async () => {
    const { client: stranger } = await service.account()
    for (const [of, id] of [
      [client, NOBODY],
      [stranger, (await make()).id],
    ] as const) {
      const path = `${PATH}/${id}`
      for (const { status, body } of [
        await of.get(path),
        await of.patch(path, { name: 'X' }),
        await of.post(`${path}/apply`, {}),
        await of.post(`${path}/preview`, {}),
        await of.delete(path),
        await of.post(`${PATH}/built-in/nothing/copy`),
      ]) {
        expect([status, body.error_code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
      }
    }
  })

  test('need their permissions, and their feature in the plan', async () => {
    const { id } = await make()
    const calls = {
      'template.read': [(of: Client) => of.get(PATH), (of: Client) => of.post(`${PATH}/${id}/preview`, {})],
      'template.write': [
        (of: Client) => of.post(PATH, TEMPLATE),
        (of: Client) => of.patch(`${PATH}/${id}`, {}),
        (of: Client) => of.post(`${PATH}/${id}/apply`, {}),
        (of: Client) => of.post(`${PATH}/built-in/user-onboarding/copy`),
      ],
      'template.delete': [(of: Client) => of.delete(`${PATH}/${id}`)],
    }
    const permissions = Object.keys(calls)
    for (const [permission, needing] of Object.entries(calls)) {
      const key = await account.key({ permissions: permissions.filter(other => other !== permission) })
      for (const call of needing) {
        const { status, body } = await call(key)
        expect([permission, status, body.error_code]).toEqual([permission, 403, 'FORBIDDEN'])
      }
    }
    const { client: free } = await service.account({ plan: 'free' })
    const { status, body } = await free.get(PATH)
    expect([status, body.error_code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
  })
})

describe('POST /v1/templates/:id/apply', () => {
  test.each([
    ['a missing variable', {}],
    ['a variable that the template lacks', { customer: 'Acme', plan: 'pro' }],
    ['a value that is no text', { customer: 7 }],
    ['a value of more than 10,000 characters', { customer: 'x'.repeat(10_001) }],
  ])('with %s is 400 and creates nothing', async (_, variables) => {
    const { client: own } = await service.account()
    const { body: made } = await own.post(PATH, TEMPLATE)
    for (const action of ['apply', 'preview']) {
      const { status, body } = await own.post(`${PATH}/${made.id}/${action}`, { variables })
      expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await totalOf(own)).toBe(0)
  })

  test('puts values in once, with defaults where none are given, and skips texts that are there', async () => {
    const { client: own } = await service.account()
    const { body: made } = await own.post(PATH, {
      name: 'Plan',
      variables: [{ name: 'who' }, { name: 'plan', default: 'pro' }, { name: 'note', required: false }],
      memories: [
        { memory: '{{who}} is on {{ plan }}.', categories: ['{{plan}}'], metadata: { who: ['{{who}}'] } },
        { memory: '{{who}} calls.{{note}}', layer: 'TASK' },
      ],
    })
    const path = `${PATH}/${made.id}/apply`
    const body = { user_id: 'ada', agent_id: 'guide', session_id: 's1', variables: { who: '{{plan}} & <Co>' } }
    const { body: applied } = await own.post(path, body)
    expect(applied).toMatchObject({
      memories_created: 2,
      memories_skipped: 0,
      memories: [
        {
          memory: '{{plan}} & <Co> is on pro.',
          categories: ['pro'],
          metadata: { who: ['{{plan}} & <Co>'] },
          user_id: 'ada',
          agent_id: 'guide',
          session_id: 's1',
        },
        { memory: '{{plan}} & <Co> calls.' },
      ],
    })
    const { body: task } = await own.get(`/v1/memories/${applied.memories[1].id}`)
    expect([task.layer, task.expires_at]).toEqual(['TASK', ISO])
    const again = await own.post(path, { ...body, variables: { ...body.variables, plan: 'free' } })
    expect(again.body).toMatchObject({ memories_created: 1, memories_skipped: 1 })
    expect(again.body.memories[0].memory).toBe('{{plan}} & <Co> is on free.')
  })

  test('is previewed without storing anything', async () => {
    const { client: own } = await service.account()
    const { body: made } = await own.post(PATH, TEMPLATE)
    const { status, body } = await own.post(`${PATH}/${made.id}/preview`, { variables: { customer: 'Acme' } })
    expect([status, body]).toEqual([200, { memories: [{ ...TEMPLATE.memories[0], memory: 'Acme was met.' }] }])
    expect(await totalOf(own)).toBe(0)
  })

  test('under an Idempotency-Key stores once', async () => {
    const { client: own } = await service.account()
    const { body: made } = await own.post(PATH, TEMPLATE)
    const headers = { 'Idempotency-Key': 'meet-acme' }
    const body = { variables: { customer: 'Acme' } }
    const first = await own.post(`${PATH}/${made.id}/apply`, body, { headers })
    const second = await own.post(`${PATH}/${made.id}/apply`, body, { headers })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await totalOf(own)).toBe(1)
  })
})

describe('built-in templates', () => {
  test('are listed, and copied into templates of the workspace', async () => {
    const { client: own } = await service.account()
    const { body: list } = await own.get(`${PATH}/built-in`)
    expect(list).toMatchObject({ total: list.data.length, page: 1, page_size: 20 })
    const [{ key, ...content }] = list.data
    const copy = await own.post(`${PATH}/built-in/${key}/copy`)
    expect([copy.status, copy.body]).toEqual([201, { id: UUID, ...content, created_at: ISO, updated_at: ISO }])
    expect((await own.get(PATH)).body.data).toEqual([copy.body])
  })
})
