import { beforeAll, describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Json } from '../test/support/client.ts'
import { onEnd } from '../test/support/closing.ts'
import { serveHttp } from '../test/support/http-server.ts'
import { service, type TestAccount } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'

let origin: string
let make: () => Promise<TestAccount>

beforeAll(async () => {
  const running = await service()
  make = running.account
  const server = await serveHttp(request => running.kernel.fetch(request))
  onEnd(async () => server.close())
  origin = server.origin
})

const program = fileURLToPath(new URL('mneme.ts', import.meta.url))
const keyOf = ({ client }: TestAccount) => client.headers['x-api-key'] ?? client.headers['X-Api-Key'] ?? ''

type Way = 'HTTP' | 'standard input and output'
const ways: [Way, 'legacy' | 'auto'][] = [
  ['HTTP', 'legacy'],
  ['HTTP', 'auto'],
  ['standard input and output', 'legacy'],
  ['standard input and output', 'auto'],
]

/** Connects the protocol's official client. */
async function connect(way: Way, mode: 'legacy' | 'auto', key: string, user?: string): Promise<McpClient> {
  const mcp = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const query = user === undefined ? '' : `?user_id=${user}`
  const headers = { 'x-api-key': key }
  const transport =
    way === 'HTTP'
      ? new StreamableHTTPClientTransport(new URL(`/v1/mcp${query}`, origin), { requestInit: { headers } })
      : new StdioClientTransport({
          command: process.execPath,
          args: [program, 'mcp', '--url', origin, ...(user === undefined ? [] : ['--user', user])],
          env: { MNEME_API_KEY: key, MNEME_HOME: '/nowhere', PATH: process.env.PATH ?? '' },
          stderr: 'pipe',
        })
  await mcp.connect(transport)
  return mcp
}

describe.each(ways)('the official client over %s, %s', (way, mode) => {
  test('gets results with the structure that their tools describe', async () => {
    const mcp = await connect(way, mode, keyOf(await make()))
    const { tools } = await mcp.listTools()
    const described = tools.filter(tool => tool.outputSchema).map(({ name }) => name)
    expect(described).toEqual(
      expect.arrayContaining(['add_memory', 'search_memories', 'get_memory', 'update_memory', 'list_memories']),
    )
    expect(tools.find(({ name }) => name === 'add_memory')?.annotations).toEqual({
      title: 'Remember something',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    })
    // The client checks what is structured against the schema of the tool.
    const call = (name: string, given: Json) => mcp.callTool({ name, arguments: given })
    const made = await call('add_memory', { memory: 'Ada keeps bees.', user_id: 'ada' })
    expect(made.structuredContent).toMatchObject({ memory: 'Ada keeps bees.', user_id: 'ada' })
    const { id } = made.structuredContent as Json
    for (const [name, given] of [
      ['get_memory', { id }],
      ['list_memories', {}],
      ['search_memories', { query: 'bees', mode: 'keyword' }],
      ['update_memory', { id, memory: 'Ada keeps goats.' }],
      ['get_profile', { user_id: 'ada' }],
      ['ask_graph', { query: 'What does Ada keep?' }],
    ] as const) {
      const { content, structuredContent, isError } = await call(name, given)
      expect([name, isError, JSON.parse((content as Json)[0].text)]).toEqual([name, false, structuredContent])
    }
    const failed = await call('get_memory', { id: 'x' })
    expect([failed.isError, failed.structuredContent]).toEqual([true, undefined])
    await mcp.close()
  }, 60_000)

  test('reads profile and knowledge as resources, and begins with prompts', async () => {
    const account = await make()
    const mcp = await connect(way, mode, keyOf(account), 'ada')
    expect((await mcp.listResourceTemplates()).resourceTemplates.map(one => one.uriTemplate)).toEqual([
      'mneme://users/{user_id}/profile',
      'mneme://knowledge/{id}',
    ])
    await mcp.callTool({ name: 'add_memory', arguments: { memory: 'Ada Okafor works at Northwind Labs.' } })
    await account.client.post('/v1/memories', { memory: 'Bob is a baker.', user_id: 'bob' })
    const resources = await until('knowledge is compiled', async () => {
      const listed = (await mcp.listResources()).resources
      return listed.length > 1 ? listed : undefined
    })
    expect(resources[0]).toMatchObject({ uri: 'mneme://users/ada/profile', mimeType: 'application/json' })
    const texts: string[] = []
    for (const { uri, mimeType } of resources) {
      const [content] = (await mcp.readResource({ uri })).contents
      expect([content?.uri, content?.mimeType]).toEqual([uri, mimeType])
      texts.push(String(content && 'text' in content ? content.text : ''))
    }
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ userId: 'ada' })
    expect(texts.slice(1).join()).toContain('Northwind Labs')
    expect(texts.join()).not.toContain('baker')
    for (const uri of [
      'mneme://knowledge/01970c5e-8a54-7c1e-9b1f-3c1f6f0a2b11',
      'mneme://nothing',
      'mneme://users/%/profile',
    ])
      await expect(mcp.readResource({ uri })).rejects.toThrow(/KNOWLEDGE_NOT_FOUND|no resource of this URI/)
    expect((await mcp.listPrompts()).prompts.map(({ name }) => name)).toEqual(['recall', 'remember'])
    const recalled = await mcp.getPrompt({ name: 'recall', arguments: { task: 'Who employs Ada Okafor?' } })
    expect(JSON.stringify(recalled.messages)).toMatch(/^\[\{"role":"user".*Who employs.*Northwind Labs/)
    const remembered = await mcp.getPrompt({ name: 'remember', arguments: { text: 'I moved to Porto.' } })
    expect(JSON.stringify(remembered.messages)).toMatch(/add_memory for the user ada.*I moved to Porto/)
    await expect(mcp.getPrompt({ name: 'recall', arguments: {} })).rejects.toThrow('recall needs task')
    await expect(mcp.getPrompt({ name: 'no such' })).rejects.toThrow('no prompt of this name')
    await mcp.close()
  }, 60_000)
})

test('resources come in pages, and only those that a key may read', async () => {
  const account = await make()
  const post = async (client: TestAccount['client'], method: string, params: Json = {}) =>
    (await client.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method, params })).body
  const { database } = await service()
  await database.workspace(
    account.workspaceId,
    tx => tx`
      insert into knowledge.entry (
        workspace_id, id, user_id, category, content, compiled, hand, fingerprint, written_by, version, words, created_at, updated_at
      )
      select ${account.workspaceId}, gen_random_uuid(), 'ada', 'topic ' || n, '# Topic', '[]', '{}', '', 'local', 1, '', now(), now()
      from generate_series(1, 101) as n`,
  )
  const first = (await post(account.client, 'resources/list')).result
  expect([first.resources.length, first.nextCursor]).toEqual([100, '2'])
  const second = (await post(account.client, 'resources/list', { cursor: '2' })).result
  expect([second.resources.length, second.nextCursor]).toEqual([1, undefined])
  expect((await post(account.client, 'resources/list', { cursor: 'x' })).error.code).toBe(-32602)
  const bound = await account.key({ permissions: ['knowledge.read'], subject: { userId: 'bob' } })
  expect((await post(bound, 'resources/list')).result).toEqual({ resources: [] })
  const [{ uri }] = first.resources
  expect((await post(bound, 'resources/read', { uri })).error.message).toContain('KNOWLEDGE_NOT_FOUND')
  const writer = await account.key({ permissions: ['memory.write'] })
  expect((await post(writer, 'resources/list')).result.resources).toEqual([])
  expect((await post(writer, 'resources/templates/list')).result.resourceTemplates).toEqual([])
  expect((await post(writer, 'prompts/list')).result.prompts.map(({ name }: Json) => name)).toEqual(['remember'])
})
