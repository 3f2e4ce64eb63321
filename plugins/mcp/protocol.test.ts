import { expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'

test.each([
  ['initialize', { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
  ['initialize', undefined],
  ['tools/list', { cursor: 7 }],
  ['tools/call', { name: 7 }],
])(
  '%s with parameters that it does not take is an error of the protocol, and none of the service',
  async (method, params) => {
    const { client } = await (await service()).account()
    const { status, body } = await client.post('/v1/mcp', { jsonrpc: '2.0', id: 'a', method, params })
    expect([status, body.id, body.error?.code]).toEqual([200, 'a', -32602])
  },
)

const LONG = 'x'.repeat(300_000)

test.each([
  ['the name of an argument', 'tools/call', { name: 'add_memory', arguments: { memory: 'tea', [LONG]: 1 } }],
  [
    'thousands of arguments',
    'tools/call',
    { name: 'add_memory', arguments: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name_${n}`, 1])) },
  ],
  [
    'a field in a list',
    'tools/call',
    { name: 'add_memory', arguments: { memory: 'tea', categories: [{ [LONG]: 1 }] } },
  ],
  ['the id of a memory', 'tools/call', { name: 'get_memory', arguments: { id: LONG } }],
  ['the name of a tool', 'tools/call', { name: LONG }],
  ['a field of the protocol', 'initialize', { [LONG]: 1 }],
  [
    'the type of a field of the protocol',
    'tools/list',
    { cursor: { [LONG]: 1 }, _meta: { progressToken: { [LONG]: 1 } } },
  ],
  ['the version', 'initialize', { protocolVersion: LONG, capabilities: {}, clientInfo: { name: LONG, version: LONG } }],
  [
    'the version in the metadata',
    'tools/list',
    {
      _meta: { 'io.modelcontextprotocol/protocolVersion': LONG, 'io.modelcontextprotocol/clientInfo': { name: LONG } },
    },
  ],
])('%s, however long, is not sent back whole', async (_, method, params) => {
  const { client } = await (await service()).account()
  const { status, body } = await client.post('/v1/mcp', { jsonrpc: '2.0', id: 'a', method, params })
  expect([status, body.id]).toEqual([200, 'a'])
  expect(JSON.stringify(body.error ?? body.result.content ?? '').length).toBeLessThan(5000)
})
