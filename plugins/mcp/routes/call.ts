import { accepted, type Logger, ok, type RouteCatalogue, routesOf } from 'mneme/plugin'
import { createLibrary } from '../library.ts'
import { type Listener, progressTokenOf, streamed } from '../progress.ts'
import { endpointQuery, message, reply } from '../schemas.ts'
import type { ResolvedTool } from '../tools/resolve.ts'
import { createToolbox } from '../tools/toolbox.ts'

const callExample = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_memories', arguments: { query: 'Which tea does Ada like?', user_id: 'ada' } },
}

const replyExample = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    content: [
      {
        type: 'text',
        text: '{"memories":[{"id":"0198c1a0-3f5e-7cc2-9d0e-5a1b2c3d4e5f","memory":"Ada likes green tea.","score":0.82,"user_id":"ada"}],"total":1}',
      },
    ],
    isError: false,
  },
}

/** Routes are called with this. */
export interface McpScope {
  readonly log: Logger
  readonly version: string
  /** All tools that this server has the operations of. */
  tools(): readonly ResolvedTool[]
  routes(): RouteCatalogue
  /** Tells a client without a good key where it gets in; undefined where there are keys alone. */
  challenge(request: Request): string | undefined
}

export const callRoute = routesOf<McpScope>()({
  method: 'POST',
  path: '/v1/mcp',
  operationId: 'callMcp',
  access: 'anyKey',
  subject: { user: 'user_id' },
  relays: true,
  challenge: ({ request, scope }) => scope.challenge(request),
  readsHeaders: ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  tag: 'MCP',
  summary: 'The memory as tools, resources and prompts for agents (MCP)',
  description:
    'Speaks the Model Context Protocol, Streamable HTTP without sessions, one message a request. Every tool is an operation of this API: it needs the same permission and plan, and fails in the same way, as a result with `isError`.',
  query: endpointQuery,
  body: message,
  responses: { 200: reply, 202: null },
  examples: { body: callExample, responses: { 200: replyExample } },
  async handle({ body, query, request, caller, tenant, relay, scope }) {
    const defaults = query.user_id === undefined ? {} : { user_id: query.user_id }
    const parts = { tools: scope.tools(), caller, tenant, relay, defaults }
    const library = createLibrary({ routes: scope.routes(), caller, tenant, relay, userId: query.user_id })
    // Its libraries are loaded by the first message: they take a tenth of a second of each start, and 20 MB.
    const { answer } = await import('../protocol.ts')
    const answered = (told: Listener = {}) =>
      answer(body, request.headers, { toolbox: createToolbox({ ...parts, ...told }), library }, scope.version)
    const token = progressTokenOf(body, request.headers, parts.tools)
    if (token !== undefined)
      return streamed(body.id, token, answered, error => scope.log.error({ err: error }, 'a tool failed'))
    const replied = await answered()
    return replied === undefined ? accepted(undefined) : ok(replied)
  },
})
