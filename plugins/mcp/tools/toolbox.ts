import {
  type Caller,
  clipped,
  coerced,
  type Relay,
  type RelayedResponse,
  type Tenant,
  type TSchema,
  Type,
} from 'mneme/plugin'
import type { McpTool } from '../contract.ts'
import { type Defaults, type InputSchema, inputSchemaOf, requiredOf } from './input-schema.ts'
import { holdsCutText, type Outcome, outcomeOfFailure, outcomeOfSuccess } from './outcome.ts'
import type { Argument, Given, ResolvedTool } from './resolve.ts'
import { toRequest } from './to-request.ts'

/** The tools of one request: those that its caller may use, on the workspace that it works on. */
export interface Toolbox {
  readonly tools: readonly McpTool[]
  inputSchemaOf(tool: McpTool): InputSchema
  /** Calls a tool; undefined where there is none of that name. A failure of the operation is an outcome. */
  call(name: string, given: Given): Promise<Outcome | undefined>
}

export interface ToolboxParts {
  readonly tools: readonly ResolvedTool[]
  readonly caller: Caller
  readonly tenant: Pick<Tenant, 'workspaceId' | 'workspace'>
  readonly relay: Relay
  /** Taken for arguments that a call leaves out, where the tool has one of the name. */
  readonly defaults: Defaults
}

export function createToolbox({ tools, caller, tenant, relay, defaults }: ToolboxParts): Toolbox {
  const usable = new Map(
    tools.filter(({ route }) => route.serves(caller, tenant.workspace)).map(one => [one.tool.name, one]),
  )
  return {
    tools: [...usable.values()].map(({ tool }) => tool),
    inputSchemaOf: ({ name }) => inputSchemaOf(usable.get(name)?.args ?? [], defaults),
    async call(name, sent) {
      const called = usable.get(name)
      if (!called) return undefined
      const given: Given = { ...defaults, ...asMeant(called, sent, defaults) }
      const fault = unknownIn(called, sent) ?? faultOf(called, given)
      if (fault !== undefined) return outcomeOfFailure(fault)
      return outcomeOf(called, await relay(toRequest(called, given, tenant.workspaceId)))
    },
  }
}

/**
 * Reads arguments as models write them: numbers, lists and objects in quotes, choices in another spelling, null and empty texts for what they
 * leave out. The operation checks the result as strictly as any request.
 */
function asMeant({ args }: ResolvedTool, sent: Given, defaults: Defaults): Given {
  const { required } = inputSchemaOf(args, defaults)
  const properties = Object.fromEntries(args.map(({ field, of }): [string, TSchema] => [field.name, of.schema]))
  const read = coerced(Type.Unsafe({ type: 'object', properties, required }), sent, 'arguments')
  return Object.fromEntries(Object.entries(read as Given).filter(([, value]) => value !== null))
}

/** Names of arguments are the caller's, and may be as long and as many as a request has room for. */
const UNKNOWN_MAX = 10
const NAME_MAX = 100

function unknownIn({ tool, args }: ResolvedTool, sent: Given): string | undefined {
  const names = args.map(({ field }) => field.name)
  const unknown = Object.keys(sent).filter(name => !names.includes(name))
  if (unknown.length === 0) return undefined
  const told = unknown.slice(0, UNKNOWN_MAX).map(name => clipped(name, NAME_MAX))
  return `${tool.name} has no argument ${told.join(', ')}. It takes ${names.join(', ')}.`
}

/** Finds what the operation could not say of a call; all else it checks. */
function faultOf({ tool, args }: ResolvedTool, given: Given): string | undefined {
  const missing = requiredOf(args).filter(name => given[name] === undefined)
  if (missing.length > 0) return `${tool.name} needs ${missing.join(', ')}.`
  const shortened = tool.effect === 'reads' ? undefined : args.find(({ field }) => holdsCutText(given[field.name]))
  if (shortened) {
    return `${shortened.field.name} was cut off in a result, and the rest of it would be lost: send the whole, or leave it as it is.`
  }
  // In an address anything would become a text.
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  const unfit = args.find(
    ({ field, of }) => of.place !== 'body' && of.schema.type === 'string' && !isText(given[field.name]),
  )
  return unfit && `${unfit.field.name} must be a string.`
}

function outcomeOf({ tool, args }: ResolvedTool, response: RelayedResponse): Outcome {
  if (response.status >= 400) return outcomeOfFailure(failureText(tool, args, response))
  return outcomeOfSuccess(tool.result ? tool.result(response.body) : response.body, tool.effect)
}

interface Failure {
  readonly message: string
  readonly error_code: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

/** Tells what is wrong in the names that the agent knows. */
function failureText(
  { failures = {} }: McpTool,
  args: readonly Argument[],
  { body, retryAfterSeconds }: RelayedResponse,
): string {
  const { message, error_code: code, details = [] } = body as Failure
  const faults = details.map(fault => `${named(args, fault.path)} ${fault.message}`)
  const why = failures[code] ?? (faults.length > 0 ? faults.join('; ') : message)
  return `${code}: ${why}${retryAfterSeconds === undefined ? '' : ` Retry after ${retryAfterSeconds} s.`}`
}

function named(args: readonly Argument[], path: string): string {
  const [first = '', ...rest] = path.split('.')
  const known = args.find(({ of }) => of.name === first)?.field.name ?? first
  return [known, ...rest].join('.')
}
