import { type Contribution, type ContributionFault, defineExtensionPoint, type TObject } from 'mneme/plugin'

/** A field of the operation that a tool calls, as an agent gives it. */
export interface ToolField {
  readonly name: string
  /** Its name in the operation, where that is another one. */
  readonly of?: string
  /** Takes the place of the field's own description. */
  readonly description?: string
  /** Told where the agent may leave it out, as "all users": what is meant then. */
  readonly otherwise?: string
  /** True for a field that the operation needs though its schema leaves it open. */
  readonly required?: boolean
}

/**
 * A tool for agents that speak MCP: an operation of the HTTP API under a name of its own, with those of its fields that an agent needs. Their schemas
 * are the operation's. A key sees the tools whose operations it may call.
 */
export interface McpTool {
  /** Unique among all tools, in snake_case. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** For the model, which chooses by it: when to use it, and what comes back. */
  readonly description: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the route declares it, e.g. `/v1/memories/:id`. */
  readonly path: string
  /** In the order in which agents see them. One called `user_id` may be filled by the address of the endpoint. */
  readonly fields: readonly ToolField[]
  /** Sent with every call, by the names of the operation. */
  readonly fixed?: Readonly<Record<string, string | number | boolean>>
  /** Told to clients, which may ask a person before what changes or deletes. */
  readonly effect: Effect
  /** True for a tool that reaches out to addresses elsewhere. */
  readonly goesOnline?: boolean
  /** Makes what the agent reads of the body of a success: text as it is, anything else as JSON. Without one that is the whole body. */
  readonly result?: (body: unknown) => unknown
  /** Describes what an agent reads of a success, an object: clients get it as structured content, too, and check it. */
  readonly output?: TObject
  /** Where the work goes on after the response: agents whose client asks to be told of its progress get the result at its end. */
  readonly awaits?: Awaited
  /** Takes the place of the messages of failures, by their codes, where an agent would take them amiss. */
  readonly failures?: Readonly<Record<string, string>>
}

/** Work that goes on, which another operation tells of. */
interface Awaited {
  /** The path of a GET with one parameter `id`, that of the tool's result: `/v1/jobs/:id`. */
  readonly path: string
  /** Reads how far it is from the body of that operation. */
  progressOf(body: unknown): Progress
}

export interface Progress {
  readonly isOver: boolean
  /** It only grows. */
  readonly done: number
  /** Left out while it is not known. */
  readonly total?: number
  /** For people. */
  readonly message: string
}

const EFFECTS = ['reads', 'adds', 'changes', 'deletes'] as const
type Effect = (typeof EFFECTS)[number]

const NAME = /^[a-z][a-z0-9_]{0,63}$/

/** All tools that are offered to agents, the first of the plugin itself. */
export const mcpTools = defineExtensionPoint<McpTool>('mcp.tools', {
  members: { name: 'string', title: 'string', description: 'string', effect: 'string', fields: 'object' },
  check: faultsOf,
})

function faultsOf(contributions: readonly Contribution<McpTool>[]): ContributionFault[] {
  return contributions.flatMap(({ plugin, value: { name, effect } }, n) => {
    if (!NAME.test(name)) return [{ plugin, fault: `names a tool "${name}"; use up to 64 of a-z, 0-9 and _` }]
    if (!EFFECTS.includes(effect))
      return [{ plugin, fault: `gives the tool ${name} the effect "${effect}"; use one of ${EFFECTS.join(', ')}` }]
    const first = contributions.findIndex(({ value }) => value.name === name)
    if (first < n) return [{ plugin, fault: `names a tool ${name}, as ${contributions[first]?.plugin} does` }]
    return []
  })
}
