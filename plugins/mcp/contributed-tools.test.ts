import { describe, expect, test } from 'bun:test'
import { created, definePlugin, extend, oneOf, routesOf, Type, text } from 'mneme/plugin'
import { eraseTypes } from '../../core/plugin.ts'
import type { Json } from '../../test/support/client.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { type McpTool, mcpTools } from './contract.ts'

const remindRoute = routesOf<null>()({
  method: 'POST',
  path: '/v1/x/reminders/:day',
  access: { permission: 'reminders.write' },
  summary: 'Set a reminder',
  params: Type.Object({ day: text({ maxLength: 10, description: 'The day.' }) }),
  body: Type.Object({
    note: text({ maxLength: 200, description: 'What to be reminded of.' }),
    often: Type.Optional(oneOf(['ONCE', 'EACH_YEAR'])),
    at: Type.Optional(Type.Array(Type.Object({ hour: Type.Integer(), loud: Type.Boolean() }))),
  }),
  responses: { 201: Type.Object({}, { additionalProperties: true }) },
  handle: ({ params, body }) => created({ ...params, ...body }),
})

const tool: McpTool = {
  name: 'set_reminder',
  title: 'Set a reminder',
  description: 'Reminds of something on a day.',
  method: remindRoute.method,
  path: remindRoute.path,
  fields: [{ name: 'day' }, { name: 'about', of: 'note' }],
  effect: 'adds',
}

function reminders(...tools: McpTool[]) {
  return eraseTypes(
    definePlugin({
      id: 'reminders',
      version: '1.0.0',
      apiVersion: 1,
      requires: ['mcp'],
      permissions: [{ name: 'Reminders', permissions: { 'reminders.write': 'Set reminders' } }],
      routes: [remindRoute],
      setup: () => ({ scope: null, extensions: tools.map(one => extend(mcpTools, one)) }),
    }),
  )
}

const start = (...tools: McpTool[]) => startService({}, { thirdParty: [reminders(...tools)] })

async function ask(service: TestService, method: string, params: Json = {}, permissions?: string[]): Promise<Json> {
  const { client, key } = await service.account()
  const caller = permissions ? await key({ permissions }) : client
  const { body } = await caller.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method, params })
  return body
}

test('a tool of another plugin has the schemas of its route under the names of the tool, and calls it', async () => {
  const service = await start(tool)
  const { result } = await ask(service, 'tools/list', {}, ['reminders.write'])
  expect(result.tools).toMatchObject([
    {
      name: 'set_reminder',
      inputSchema: {
        properties: {
          day: { type: 'string', maxLength: 10, description: 'The day.' },
          about: { type: 'string', maxLength: 200, description: 'What to be reminded of.' },
        },
        required: ['day', 'about'],
      },
    },
  ])
  const called = await ask(service, 'tools/call', {
    name: 'set_reminder',
    arguments: { day: '2026/12', about: 'Bees' },
  })
  expect(JSON.parse(called.result.content[0].text)).toEqual({ day: '2026/12', note: 'Bees' })
  const faulty = await ask(service, 'tools/call', { name: 'set_reminder', arguments: { day: 'x', about: [] } })
  expect(faulty.result).toMatchObject({
    isError: true,
    content: [{ text: 'VALIDATION_ERROR: about must be a string' }],
  })
})

test('its arguments are taken as models write them', async () => {
  const service = await start({ ...tool, fields: [...tool.fields, { name: 'often' }, { name: 'at' }] })
  const at = '[{"hour": "7", "loud": "False"}]'
  const call = async (args: Json) => {
    const { result } = await ask(service, 'tools/call', {
      name: 'set_reminder',
      arguments: { day: 3, about: 7, ...args },
    })
    return result.content[0].text
  }
  const written = JSON.parse(await call({ often: 'each year', at }))
  expect(written).toEqual({ day: '3', note: '7', often: 'EACH_YEAR', at: [{ hour: 7, loud: false }] })
  expect(JSON.parse(await call({ often: '', at: '' }))).toEqual({ day: '3', note: '7' })
  expect(await call({ at: '[{"hour": "7", "loud": "maybe"}]' })).toContain('at.0.loud must be')
})

test('values that every call has and messages of its own for failures count', async () => {
  const fixed = { ...tool, name: 'remind_of_bees', fields: [{ name: 'day' }], fixed: { note: 'Bees' } }
  const service = await start({ ...fixed, failures: { VALIDATION_ERROR: 'Name a day.' }, result: () => 'Done.' })
  const call = (day: string) => ask(service, 'tools/call', { name: 'remind_of_bees', arguments: { day } })
  expect((await call('2026')).result).toMatchObject({ isError: false, content: [{ text: 'Done.' }] })
  expect((await call('x'.repeat(11))).result).toMatchObject({
    isError: true,
    content: [{ text: 'VALIDATION_ERROR: Name a day.' }],
  })
})

describe('a result that is too long to be read at once', () => {
  const call = async (over: Partial<McpTool>) => {
    const service = await start({ ...tool, ...over })
    const { result } = await ask(service, 'tools/call', {
      name: 'set_reminder',
      arguments: { day: '2026', about: 'Bees' },
    })
    const [{ text }] = result.content
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(128 * 1024)
    return { text, isError: result.isError }
  }

  test('has its long strings cut between characters, and says so', async () => {
    const long = `a${'🐝'.repeat(40_000)}`
    const { text, isError } = await call({ effect: 'reads', result: () => ({ id: 'x', notes: [{ long }] }) })
    const { id, notes } = JSON.parse(text)
    expect([isError, id]).toEqual([false, 'x'])
    expect(notes[0].long).toMatch(/^a(?:🐝)+… \[cut off here: 80001 characters in all\]$/u)
    const whole = await call({ effect: 'reads', result: () => long })
    expect(whole).toEqual({ text: expect.stringMatching(/^a(?:🐝)+… \[cut off here/u), isError: false })
  })

  test('is a failure only where nothing was changed', async () => {
    const result = () => Array.from({ length: 50_000 }, () => 'word')
    expect(await call({ effect: 'adds', result })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^It is done/),
    })
    expect(await call({ effect: 'reads', result })).toMatchObject({ isError: true })
  })
})

test('one that no call could carry out is not offered, and the others are', async () => {
  const service = await start(
    tool,
    { ...tool, name: 'without_a_route', path: '/v1/x/reminders/nowhere' },
    { ...tool, name: 'with_an_unknown_field', fields: [...tool.fields, { name: 'colour' }] },
    { ...tool, name: 'with_an_unknown_value', fixed: { colour: 'red' } },
    { ...tool, name: 'without_a_part_of_the_path', fields: [{ name: 'note' }] },
  )
  const { result } = await ask(service, 'tools/list', {}, ['reminders.write'])
  expect(result.tools.map(({ name }: Json) => name)).toEqual(['set_reminder'])
})

test.each([
  ['that Mneme has itself', { ...tool, name: 'add_memory' }, 'names a tool add_memory, as mcp does'],
  ['that models do not take', { ...tool, name: 'Set reminder' }, 'names a tool "Set reminder"'],
  ['beside an effect that there is not', { ...tool, effect: 'none' as 'reads' }, 'the effect "none"'],
])('a name %s ends the start', async (_, faulty, message) => {
  await expect(start(faulty)).rejects.toThrow(message)
})
