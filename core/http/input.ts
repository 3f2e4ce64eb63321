import { createHash } from 'node:crypto'
import { type ErrorDetail, validationError } from '../errors.ts'
import { readJson } from './body.ts'
import type { MountedRoute } from './mount.ts'
import type { Route } from './route.ts'
import { readQuery } from './validation.ts'

/** What a request asks for, checked against the route's schemas. */
export interface RequestInput {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  /** Undefined for a route without a body. */
  readonly body: unknown
  /** The body as received. */
  readonly bytes: Uint8Array
}

/** Validates path, query and body together, so that one answer names every field at fault. */
export async function readInput(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
): Promise<RequestInput> {
  const parsed = readQuery(mounted.query.schema, new URLSearchParams(targetOf(request).query))
  if (mounted.route.ignoresUnknownQuery) parsed.faults = []
  const unknown = new Set(parsed.faults.map(fault => fault.path))
  const faults = [...(mounted.params?.faults(rawParams) ?? []), ...parsed.faults]
  faults.push(...mounted.query.validator.faults(parsed.value).filter(fault => !unknown.has(fault.path)))
  let body: unknown
  let bytes: Uint8Array = new Uint8Array()
  if (mounted.body && !mounted.route.raw) {
    const read = await readJson(request)
    body = read.value
    bytes = read.bytes
    faults.push(...mounted.body.faults(body))
  }
  faults.push(...workspaceFaults(mounted.route, parsed.value, body))
  if (faults.length > 0) throw validationError(faults)
  return { params: rawParams, query: parsed.value, body, bytes }
}

/** The workspace a request names, in lower case; undefined leaves it to the caller's own. */
export function requestedWorkspace(
  route: Route,
  { params, query, body }: Omit<RequestInput, 'bytes'>,
): string | undefined {
  if (route.workspace === 'none') return undefined
  if (typeof route.workspace === 'object') return params[route.workspace.param]
  return workspaceIn(query) ?? workspaceIn(body)
}

/** Two workspaces named at once: whichever were taken, somebody would have meant the other. */
function workspaceFaults(route: Route, query: unknown, body: unknown): ErrorDetail[] {
  if ((route.workspace ?? 'select') !== 'select') return []
  const [inQuery, inBody] = [workspaceIn(query), workspaceIn(body)]
  if (inQuery === undefined || inBody === undefined || inQuery === inBody) return []
  return [{ path: 'workspace_id', message: 'must be the same in the query and in the body' }]
}

function workspaceIn(value: unknown): string | undefined {
  const named = typeof value === 'object' && value !== null ? Reflect.get(value, 'workspace_id') : undefined
  return typeof named === 'string' ? named.toLowerCase() : undefined
}

/** Tells requests apart that came under one Idempotency-Key: method, path, query and body. */
export function fingerprint(request: Request, bytes: Uint8Array): string {
  const { path, query } = targetOf(request)
  return createHash('sha256').update(`${request.method} ${path}?${query}\n`).update(bytes).digest('hex')
}

/** Path and query as sent. Taken from the text, since a client's Host header can make the address as a whole unreadable. */
function targetOf({ url }: Request): { path: string; query: string } {
  const afterHost = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const [target = ''] = afterHost.split('#')
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
