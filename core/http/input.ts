import { createHash } from 'node:crypto'
import type { Subject } from '../auth/caller.ts'
import { type ErrorDetail, validationError } from '../errors.ts'
import { readJson, unwantedBodyFaults } from './body.ts'
import type { BodyWorld, IncomingBody } from './incoming-body.ts'
import type { MountedRoute } from './mount.ts'
import { targetOf } from './request.ts'
import { keepsResponses, type Route } from './route.ts'
import { routeFaults } from './route-check.ts'
import { fillSubject } from './subject.ts'
import { type BodyDigest, readUpload } from './upload-body.ts'

/** Path and query, read and checked. */
export interface Address {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly faults: readonly ErrorDetail[]
}

/** A request's input, and where it is at fault by the route's schemas and checks. */
export interface RequestInput extends Address {
  /** Undefined for a route without a body. */
  readonly body?: unknown
  /** `workspace_id` may stand among these fields of the body. */
  readonly fields?: unknown
  /** Identifies the request among others under its Idempotency-Key, without a streamed body. Undefined where its response is not kept. */
  readonly fingerprint?: string | undefined
  /** Adds a streamed body to the fingerprint once it was read. */
  readonly digest?: BodyDigest | undefined
  /** Tells a streamed form which workspace was selected. */
  selected?(workspaceId: string): void
  /** Frees the memory and disk that uploaded files take. */
  close?(): Promise<void>
}

/** A runtime may accept far longer addresses, and each parameter is looked for among all of them. */
const QUERY_BYTES_MAX = 16 * 1024
const PARAMETERS_MAX = 200

/**
 * Reads path and query. Throws VALIDATION_ERROR for a query that is too long to be looked at.
 * @param subject the user that the caller is bound to
 */
export function readAddress(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  subject?: Subject,
): Address {
  const { query } = targetOf(request)
  if (query.length > QUERY_BYTES_MAX) throw queryFault(`must have at most ${QUERY_BYTES_MAX} bytes`)
  const parameters = new URLSearchParams(query)
  if (parameters.size > PARAMETERS_MAX) throw queryFault(`must have at most ${PARAMETERS_MAX} parameters`)
  const parsed = mounted.query.read(parameters)
  if (subject) fillSubject(mounted.held, 'query', parsed.value, subject)
  const faults = [
    ...unreadable(rawParams, query, parameters),
    ...(mounted.params?.faults(rawParams) ?? []),
    ...(mounted.route.ignoresUnknownQuery ? [] : parsed.faults),
    ...mounted.query.validator.faults(parsed.value),
  ]
  return { params: rawParams, query: parsed.value, faults: faults.length > 0 ? firstOfEachPath(faults) : faults }
}

/**
 * Reads the body as well, so that one response names every field at fault. Throws where there is none to be validated: it is too large, no
 * JSON, or does not arrive.
 */
export async function readInput(
  mounted: MountedRoute,
  request: Request,
  address: Address,
  incoming: IncomingBody,
  world: BodyWorld,
  subject?: Subject,
): Promise<RequestInput> {
  const fill = (value: unknown) => subject && fillSubject(mounted.held, 'body', value, subject)
  const { bytes, faults: found, ...read } = await readBody(mounted, request, incoming, world, fill)
  try {
    const faults = [...address.faults, ...found, ...workspaceFaults(mounted.route, address.query, read.fields)]
    faults.push(...routeFaults(mounted, { query: address.query, body: read.body }, faults))
    // The bytes are let go of from here on: a request may run for minutes, and they are as much as all that was parsed from them.
    const isKept = keepsResponses(mounted.route) && request.headers.has('idempotency-key')
    return { ...read, ...address, faults, fingerprint: isKept ? fingerprint(request, bytes) : undefined }
  } catch (error) {
    await read.close?.()
    throw error
  }
}

function queryFault(message: string) {
  return validationError([{ path: 'query', message }])
}

interface ReadBody extends Omit<RequestInput, keyof Address | 'fingerprint'> {
  readonly faults: readonly ErrorDetail[]
  /** As received, without a streamed body. */
  readonly bytes: Uint8Array
}

const NO_BODY: ReadBody = { faults: [], bytes: new Uint8Array() }

async function readBody(
  { route, upload, body }: MountedRoute,
  request: Request,
  incoming: IncomingBody,
  world: BodyWorld,
  fill: (value: unknown) => void,
): Promise<ReadBody> {
  if (upload) {
    // Hashing costs time, and only a repetition is told from another request by it.
    const { value, isStreamed, digest, ...read } = await readUpload(
      upload,
      request,
      incoming,
      world,
      request.headers.has('idempotency-key'),
    )
    if (isStreamed) return { ...NO_BODY, ...read, body: value, digest }
    fill(read.fields)
    return { ...read, body: value, bytes: Buffer.from(digest.known() ?? '') }
  }
  if (route.raw) return NO_BODY
  const { bodyMaxBytes: maxBytes, bodyValuesMax: valuesMax } = route
  if (!body) return incoming.isEmpty ? NO_BODY : { ...NO_BODY, faults: await unwantedBodyFaults(incoming, maxBytes) }
  const { value, bytes } = await readJson(request, incoming, {
    maxBytes,
    valuesMax,
    optional: route.failureBody !== undefined,
  })
  fill(value)
  return { body: value, fields: value, faults: body.faults(value), bytes }
}

/** Unreadable fields are not validated as well: one fault a field says enough. */
function firstOfEachPath(faults: readonly ErrorDetail[]): ErrorDetail[] {
  const byPath = new Map<string, ErrorDetail>()
  for (const fault of faults) if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
  return [...byPath.values()]
}

/** A decoder puts this in the place of bytes it could not read. */
const REPLACEMENT = '\uFFFD'

/**
 * Finds text that is no UTF-8 once its percent signs are decoded: taken as it is, a filter would look for something
 * nobody meant.
 */
function unreadable(
  rawParams: Record<string, string | null>,
  query: string,
  parameters: URLSearchParams,
): ErrorDetail[] {
  const names = new Set<string>()
  for (const name in rawParams) if (typeof rawParams[name] !== 'string') names.add(name)
  // A caller may send the replacement character itself.
  if (query.includes('%') && !/%EF%BF%BD/i.test(query))
    for (const [name, value] of parameters) if (value.includes(REPLACEMENT)) names.add(name)
  return [...names].map(path => ({ path, message: 'must be percent-encoded UTF-8' }))
}

/** Returns the workspace a request names, in lower case; undefined leaves it to the caller's own. */
export function requestedWorkspace(
  route: Route,
  { params, query, fields }: Pick<RequestInput, 'params' | 'query' | 'fields'>,
): string | undefined {
  if (route.workspace === 'none') return undefined
  if (typeof route.workspace === 'object') return params[route.workspace.param]
  return workspaceIn(query) ?? workspaceIn(fields)
}

/** The request names two workspaces: whichever were taken, the caller may have meant the other. */
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

/** Identifies a request among those under one Idempotency-Key by method, path, query and body. */
function fingerprint(request: Request, bytes: Uint8Array): string {
  const { path, query } = targetOf(request)
  return createHash('sha256').update(`${request.method} ${path}?${query}\n`).update(bytes).digest('hex')
}
