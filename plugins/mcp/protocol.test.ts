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
