import type { RelayedRequest, RouteDescription } from 'mneme/plugin'
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
import { awaited, type Listener } from '../progress.ts'
import { type Defaults, type InputSchema, inputSchemaOf, requiredOf } from './input-schema.ts'
import type { Argument, Given, ResolvedTool } from './resolve.ts'

/** The tools of one request: those that its caller may use, on the workspace that it works on. */
export interface Toolbox {
  readonly tools: readonly McpTool[]
  inputSchemaOf(tool: McpTool): InputSchema
  /** Calls a tool; undefined where there is none of that name. A failure of the operation is an outcome. */
  call(name: string, given: Given): Promise<Outcome | undefined>
}

export interface ToolboxParts extends Listener {
  readonly tools: readonly ResolvedTool[]
  readonly caller: Caller
  readonly tenant: Pick<Tenant, 'workspaceId' | 'workspace'>
  readonly relay: Relay
  /** Taken for arguments that a call leaves out, where the tool has one of the name. */
  readonly defaults: Defaults
}

export function createToolbox(parts: ToolboxParts): Toolbox {
  const { tools, caller, tenant, relay, defaults } = parts
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
      const response = await relay(toRequest(called, given, tenant.workspaceId))
      return outcomeOf(called, await awaited(called.tool, response, parts))
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
  return outcomeOfSuccess(tool.result ? tool.result(response.body) : response.body, tool)
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

/** A placed value: where the operation takes it, and under which name. */
interface Placed {
  readonly place: 'path' | 'query' | 'body' | 'form'
  readonly name: string
  readonly value: unknown
}

/**
 * Turns the arguments of a call into a request of the operation, on the workspace of the call.
 * @param given by the names of the tool; what is in the path is text or a number
 */
function toRequest({ tool, route, args }: ResolvedTool, given: Given, workspaceId: string): RelayedRequest {
  const { method, path } = tool
  const placed: Placed[] = [
    ...args.map(({ field, of }) => ({ place: of.place, name: of.name, value: given[field.name] })),
    ...Object.entries(tool.fixed ?? {}).map(([name, value]) => ({ place: placeOf(route, name), name, value })),
    ...workspaceIn(route, workspaceId),
  ].filter(({ value }) => value !== undefined)
  const at = (place: Placed['place']) => placed.filter(one => one.place === place)
  const params = Object.fromEntries(at('path').map(({ name, value }) => [name, String(value)]))
  const query = new URLSearchParams(at('query').flatMap(({ name, value }) => texts(value).map(text => [name, text])))
  return { method, path, params, query, ...bodyOf(route, at('body'), at('form')) }
}

function placeOf(route: RouteDescription, name: string): Placed['place'] {
  return route.fields.find(field => field.name === name)?.place ?? 'query'
}

function workspaceIn({ workspace }: RouteDescription, value: string): Placed[] {
  if (workspace === 'none') return []
  if (workspace === 'select') return [{ place: 'query', name: 'workspace_id', value }]
  return [{ place: 'path', name: workspace.param, value }]
}

function bodyOf({ fields }: RouteDescription, json: readonly Placed[], form: readonly Placed[]): { body?: unknown } {
  if (fields.some(({ place }) => place === 'form')) {
    const body = new FormData()
    for (const { name, value } of form) for (const text of texts(value)) body.append(name, text)
    return { body }
  }
  if (!fields.some(({ place }) => place === 'body')) return {}
  return { body: Object.fromEntries(json.map(({ name, value }) => [name, value])) }
}

/** Values as text fields take them; a list is a field that is repeated. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** A longer result would fill the context of an agent, and take a response that is sent in pieces. */
const TEXT_BYTES_MAX = 128 * 1024

/** Beside one string of this length there is room for the largest metadata, so that a single memory can be read. */
const STRING_BYTES_MAX = 48 * 1024

/** A text that is cut to this has room for the note behind it. */
const CUT_TEXT_BYTES_MAX = TEXT_BYTES_MAX - 1024

/** An agent reads what to mend within this, however much is at fault. */
const FAILURE_MAX = 4000

/** The outcome of a call, as the agent reads it. */
interface Outcome {
  readonly text: string
  readonly isError: boolean
  /** The same as an object, of a tool that describes it. */
  readonly structured?: Readonly<Record<string, unknown>>
}

/**
 * Writes the result of a success: text as it is, anything else as JSON. In one that is too long, strings are cut that would be as long if the agent
 * asked for fewer results. A call that changed something is never an error, since the agent would try it again.
 */
function outcomeOfSuccess(result: unknown, { effect, output }: McpTool): Outcome {
  const told = (text: string): Outcome =>
    output ? { text, isError: false, structured: JSON.parse(text) } : { text, isError: false }
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null)
  if (fits(text)) return told(text)
  const shorter =
    typeof result === 'string'
      ? cut(result, CUT_TEXT_BYTES_MAX)
      : JSON.stringify(result, (_, value) => (typeof value === 'string' ? cut(value, STRING_BYTES_MAX) : value))
  if (fits(shorter)) return told(shorter)
  if (effect !== 'reads') return { text: 'It is done. The result is too long to be read at once.', isError: false }
  return {
    text: 'The result is too long to be read at once. Ask for less: fewer results, or a part of it.',
    isError: true,
  }
}

function outcomeOfFailure(why: string): Outcome {
  return { text: clipped(why, FAILURE_MAX), isError: true }
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= TEXT_BYTES_MAX
}

/** The bytes are those of its JSON, where some characters take six. */
function cut(text: string, bytesMax: number): string {
  let end = text.length
  while (Buffer.byteLength(JSON.stringify(text.slice(0, end))) > bytesMax) end = Math.floor(end * 0.95)
  if (end === text.length) return text
  return `${text.slice(0, end).replace(/\p{Cs}$/u, '')}… [cut off here: ${text.length} characters in all]`
}

/** Tells whether a text in a value ends as {@link cut} ends one: stored, it would take the place of the whole text. */
function holdsCutText(value: unknown): boolean {
  if (typeof value === 'string') return /… \[cut off here: \d+ characters in all\]\s*$/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsCutText)
}
