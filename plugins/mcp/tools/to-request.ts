import type { RelayedRequest, RouteDescription } from 'mneme/plugin'
import type { Given, ResolvedTool } from './resolve.ts'

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
export function toRequest({ tool, route, args }: ResolvedTool, given: Given, workspaceId: string): RelayedRequest {
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
