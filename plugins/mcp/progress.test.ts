import { afterAll, expect, test } from 'bun:test'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openInternet, PUBLIC } from '../../core/outgoing/internet.test-support.ts'
import { emptyDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'

const internet = openInternet()
const ready = (async () => {
  const service = await startService({}, { url: await emptyDatabaseUrl(), network: internet.network })
  await internet.serve(PUBLIC, (request, response) =>
    request.url === '/gone'
      ? void response.writeHead(404).end()
      : void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<p>${'The harbour of Ghent was opened by the mayor, who spoke of ships. '.repeat(40)}</p>`),
  )
  return service.account()
})()
afterAll(() => internet.reset())

async function agent(mode: 'legacy' | 'auto') {
  const { client } = await ready
  const mcp = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const fetch = (input: URL | string, init?: RequestInit) =>
    client.fetch(
      new Request(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...client.headers },
      }),
    )
  await mcp.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', client.base), { fetch }))
  return mcp
}

test.each(['legacy', 'auto'] as const)(
  'a client that asks for progress is told of it, and gets the end (%s)',
  async mode => {
    const mcp = await agent(mode)
    const told: { progress: number; total?: number | undefined }[] = []
    const { structuredContent, isError } = await mcp.callTool(
      { name: 'ingest_url', arguments: { url: `http://${PUBLIC}/${mode}`, user_id: 'ada' } },
      { onprogress: progress => void told.push(progress) },
    )
    expect(isError).toBe(false)
    expect(structuredContent).toMatchObject({ status: 'COMPLETED' })
    expect(told.length).toBeGreaterThan(0)
    expect(told.map(({ progress }) => progress)).toEqual(told.map(({ progress }) => progress).toSorted((a, b) => a - b))
    expect(told.at(-1)?.progress).toBe(Number(told.at(-1)?.total))
    const failed = await mcp.callTool(
      { name: 'ingest_url', arguments: { url: `http://${PUBLIC}/gone` } },
      { onprogress: () => undefined },
    )
    expect(failed.structuredContent).toMatchObject({ status: 'FAILED' })
    const refused = await mcp.callTool(
      { name: 'ingest_url', arguments: { url: 'ftp://example.com' } },
      { onprogress: () => undefined },
    )
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('VALIDATION_ERROR'),
    ])
    await mcp.close()
  },
)

test('any other client gets JSON at once, with the job', async () => {
  const { client } = await ready
  const call = (name: string, meta: object, accept: string) =>
    client.post(
      '/v1/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { url: `http://${PUBLIC}/x` }, _meta: meta },
      },
      { headers: { accept } },
    )
  for (const [meta, accept] of [
    [{}, 'application/json, text/event-stream'],
    [{ progressToken: 7 }, 'application/json'],
    [{ progressToken: {} }, 'application/json, text/event-stream'],
  ] as const) {
    const { headers } = await call('ingest_url', meta, accept)
    expect(headers.get('content-type')).toContain('application/json')
  }
  const other = await call('list_memories', { progressToken: 7 }, 'application/json, text/event-stream')
  expect(other.headers.get('content-type')).toContain('application/json')
})
