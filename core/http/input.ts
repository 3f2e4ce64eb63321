import { createHash } from 'node:crypto'
import { type ErrorDetail, validationError } from '../errors.ts'
import { readJson } from './body.ts'
import type { MountedRoute } from './mount.ts'
import type { Route } from './route.ts'
import { targetOf } from './target.ts'
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
  const { query } = targetOf(request)
  const parsed = readQuery(mounted.query.schema, new URLSearchParams(query))
  const faults = firstOfEachPath([
    ...unreadable(rawParams, query),
    ...(mounted.params?.faults(rawParams) ?? []),
    ...(mounted.route.ignoresUnknownQuery ? [] : parsed.faults),
    ...mounted.query.validator.faults(parsed.value),
  ])
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

/** What could not be read is not judged as well: one fault a field says enough. */
function firstOfEachPath(faults: readonly ErrorDetail[]): ErrorDetail[] {
  const byPath = new Map<string, ErrorDetail>()
  for (const fault of faults) if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
  return [...byPath.values()]
}

/** Stands for what a decoder could not read. */
const REPLACEMENT = '\uFFFD'

/** What is no UTF-8 once its percent signs are decoded: taken as it is, a filter would look for something nobody meant. */
function unreadable(rawParams: Record<string, string | null>, query: string): ErrorDetail[] {
  const message = 'must be percent-encoded UTF-8'
  const inPath = Object.keys(rawParams).filter(name => typeof rawParams[name] !== 'string')
  // A caller may send the replacement character itself.
  const inQuery = /%EF%BF%BD/i.test(query)
    ? []
    : [...new URLSearchParams(query)].filter(([, value]) => value.includes(REPLACEMENT))
  return [...new Set([...inPath, ...inQuery.map(([name]) => name)])].map(path => ({ path, message }))
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
