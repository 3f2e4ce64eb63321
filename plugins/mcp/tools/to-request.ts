import type { RelayedRequest, RouteDescription } from 'mneme/plugin'
import type { McpTool } from '../contract.ts'
import type { Argument } from './input-schema.ts'

/** A placed value: where the operation takes it, and under which name. */
interface Placed {
  readonly place: 'path' | 'query' | 'body' | 'form'
  readonly name: string
  readonly value: unknown
}

interface Called {
  readonly tool: McpTool
  readonly route: RouteDescription
  readonly args: readonly Argument[]
  /** By the names of the tool. */
  readonly given: Readonly<Record<string, unknown>>
  readonly workspaceId: string
}

/** Turns the arguments of a call into a request of the operation, on the workspace of the call. */
export function toRequest({ tool, route, args, given, workspaceId }: Called): RelayedRequest {
  const placed: Placed[] = [
    ...args.map(({ field, of }) => ({ place: of.place, name: of.name, value: given[field.name] })),
    ...Object.entries(tool.fixed ?? {}).map(([name, value]) => ({ place: placeOf(route, name), name, value })),
    ...workspaceIn(route, workspaceId),
  ]
  const present = placed.filter(({ value }) => value !== undefined)
  const at = (place: Placed['place']) => present.filter(one => one.place === place)
  const query = new URLSearchParams(
    at('query').flatMap(({ name, value }) => texts(value).map(text => [name, text])),
  ).toString()
  const path = tool.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(pathText(at('path'), name)))
  const body = bodyOf(route, at('body'), at('form'))
  return {
    method: tool.method,
    path: query === '' ? path : `${path}?${query}`,
    ...(body === undefined ? {} : { body }),
  }
}

function placeOf(route: RouteDescription, name: string): Placed['place'] {
  return route.fields.find(field => field.name === name)?.place ?? 'query'
}

function workspaceIn({ workspace }: RouteDescription, value: string): Placed[] {
  if (workspace === 'none') return []
  if (workspace === 'select') return [{ place: 'query', name: 'workspace_id', value }]
  return [{ place: 'path', name: workspace.param, value }]
}

function pathText(parts: readonly Placed[], wanted: string): string {
  const part = parts.find(({ name }) => name === wanted)
  if (!part) throw new Error(`a tool gives no ${wanted}, which the path of its operation has`)
  return String(part.value)
}

function bodyOf(route: RouteDescription, json: readonly Placed[], form: readonly Placed[]): unknown {
  if (route.fields.some(({ place }) => place === 'form')) {
    const data = new FormData()
    for (const { name, value } of form) for (const text of texts(value)) data.append(name, text)
    return data
  }
  if (!route.fields.some(({ place }) => place === 'body')) return undefined
  return Object.fromEntries(json.map(({ name, value }) => [name, value]))
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
