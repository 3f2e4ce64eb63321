import type { RouteCatalogue, RouteDescription, RouteField } from 'mneme/plugin'
import type { McpTool, ToolField } from '../contract.ts'

/** A field of a tool together with that of the operation. */
export interface Argument {
  readonly field: ToolField
  readonly of: RouteField
}

/** A tool with the operation that it calls. */
export interface ResolvedTool {
  readonly tool: McpTool
  readonly route: RouteDescription
  readonly args: readonly Argument[]
}

/** The arguments of a call, by the names of the tool. */
export type Given = Readonly<Record<string, unknown>>

/** Finds the operations of tools. Those that no call could reach are told to `onUnfit`, with the reason, and left out. */
export function resolveTools(
  tools: readonly McpTool[],
  routes: RouteCatalogue,
  onUnfit: (tool: McpTool, why: string) => void,
): ResolvedTool[] {
  return tools.flatMap(tool => {
    const resolved = resolve(tool, routes)
    if (typeof resolved !== 'string') return [resolved]
    onUnfit(tool, resolved)
    return []
  })
}

function resolve(tool: McpTool, routes: RouteCatalogue): ResolvedTool | string {
  const { method, path, fields, fixed = {} } = tool
  const route = routes.find(method, path)
  if (!route) return `this server has no ${method} ${path} that gives JSON`
  const find = (name: string) => route.fields.find(field => field.name === name)
  const named = [...fields.map(field => field.of ?? field.name), ...Object.keys(fixed)]
  const unknown = named.filter(name => !find(name))
  if (unknown.length > 0) return `${method} ${path} has no ${unknown.join(', ')}`
  const filled = new Set([...named, ...(typeof route.workspace === 'object' ? [route.workspace.param] : [])])
  const lacking = route.fields.filter(({ name, place }) => place === 'path' && !filled.has(name))
  if (lacking.length > 0) return `it gives no ${lacking.map(({ name }) => name).join(', ')} for ${method} ${path}`
  const args = fields.flatMap((field): Argument[] => {
    const of = find(field.of ?? field.name)
    return of ? [{ field, of }] : []
  })
  return { tool, route, args }
}
