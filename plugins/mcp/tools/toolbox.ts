import type { Caller, Relay, RelayedResponse, RouteCatalogue, RouteDescription, Tenant } from 'mneme/plugin'
import type { McpTool } from '../contract.ts'
import { type Argument, argumentsOf, type Defaults, inputSchemaOf, requiredOf } from './input-schema.ts'
import { toRequest } from './to-request.ts'

/** The outcome of a call, as the agent reads it. */
export interface Outcome {
  readonly text: string
  readonly isError: boolean
}

type Given = Readonly<Record<string, unknown>>

/** The tools of one request: those that its caller may use, on the workspace that it works on. */
export interface Toolbox {
  readonly list: readonly {
    readonly tool: McpTool
    readonly inputSchema: ReturnType<typeof inputSchemaOf>
  }[]
  /** Calls a tool; undefined where there is none of that name. A failure of the operation is an outcome. */
  call(name: string, given: Given): Promise<Outcome | undefined>
}

/** A tool with the operation that it calls. */
export interface ResolvedTool {
  readonly tool: McpTool
  readonly route: RouteDescription
  readonly args: readonly Argument[]
}

/** Finds the operations of tools. Those that this server does not have are told to `onUnknown`, and left out. */
export function resolveTools(
  tools: readonly McpTool[],
  routes: RouteCatalogue,
  onUnknown: (tool: McpTool) => void,
): ResolvedTool[] {
  return tools.flatMap(tool => {
    const route = routes.find(tool.method, tool.path)
    if (route) return [{ tool, route, args: argumentsOf(tool, route) }]
    onUnknown(tool)
    return []
  })
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
  const usable = tools.filter(({ route }) => route.serves(caller, tenant.workspace))
  return {
    list: usable.map(({ tool, args }) => ({ tool, inputSchema: inputSchemaOf(args, defaults) })),
    async call(name, given) {
      const called = usable.find(({ tool }) => tool.name === name)
      if (!called) return undefined
      const fault = faultOf(called, given, defaults)
      if (fault !== undefined) return { text: fault, isError: true }
      const all = { ...defaults, ...stated(given) }
      return outcomeOf(called, await relay(toRequest({ ...called, given: all, workspaceId: tenant.workspaceId })))
    },
  }
}

/** Finds what the operation cannot say itself; all else it checks. */
function faultOf({ tool, args }: ResolvedTool, given: Given, defaults: Defaults): string | undefined {
  const names = args.map(({ field }) => field.name)
  const unknown = Object.keys(given).filter(name => !names.includes(name))
  if (unknown.length > 0) return `${tool.name} has no argument ${unknown.join(', ')}. It takes ${names.join(', ')}.`
  const all: Given = { ...defaults, ...stated(given) }
  const missing = requiredOf(args, defaults).filter(name => all[name] === undefined)
  if (missing.length > 0) return `${tool.name} needs ${missing.join(', ')}.`
  const inPath = args.filter(({ field, of }) => of.place === 'path' && all[field.name] !== undefined)
  const unfit = inPath.find(({ field }) => !fitsIntoPath(String(all[field.name])))
  return unfit && `${unfit.field.name} cannot be ${JSON.stringify(all[unfit.field.name])}.`
}

/** Dots alone would lead to the address of another operation, in whatever way they are written. */
function fitsIntoPath(text: string): boolean {
  return text.isWellFormed() && !/^\.{0,2}$/.test(text)
}

/** Models send null for what they leave out. */
function stated(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function outcomeOf({ tool, args }: ResolvedTool, { status, body }: RelayedResponse): Outcome {
  if (status >= 400) return { text: failureText(args, body), isError: true }
  const result = tool.result ? tool.result(body) : body
  return { text: typeof result === 'string' ? result : JSON.stringify(result ?? null), isError: false }
}

interface Failure {
  readonly message: string
  readonly error_code: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

/** Tells what is wrong in the names that the agent knows. */
function failureText(args: readonly Argument[], body: unknown): string {
  const { message, error_code: code, details = [] } = body as Failure
  const named = (path: string) => args.find(({ of }) => of.name === path)?.field.name ?? path
  const faults = details.map(({ path, message }) => `${named(path)} ${message}`)
  return `${code}: ${faults.length > 0 ? faults.join('; ') : message}`
}
