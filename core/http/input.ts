import { createHash, type Hash } from 'node:crypto'
import { paced } from '../background/pace.ts'
import { finish, type Steps } from '../background/steps.ts'
import { type ErrorDetail, validationError } from '../errors.ts'
import { readJson, unwantedBodyFaults } from './body.ts'
import type { BodyWorld, IncomingBody } from './incoming-body.ts'
import type { MountedRoute, MountedUpload } from './mount.ts'
import { keepsResponses, type Route } from './route.ts'
import { routeFaults } from './route-check.ts'
import { targetOf } from './target.ts'
import { type BodyDigest, openByteStream, openFormStream, readForm, type UploadBody } from './upload-body.ts'

/** A request's input, checked against the route's schemas. */
export interface RequestInput {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  /** Undefined for a route without a body. */
  readonly body: unknown
  /** `workspace_id` may stand among these fields of the body. */
  readonly fields: unknown
  /** Identifies the request among others under its Idempotency-Key, without a streamed body. Undefined where its response is not kept. */
  readonly fingerprint: string | undefined
  /** Adds a streamed body to the fingerprint once it was read. */
  readonly digest: BodyDigest | undefined
  /** Tells a streamed form which workspace was selected. */
  selected?(workspaceId: string): void
  /** Frees the memory and disk that uploaded files take. */
  close?(): Promise<void>
}

/**
 * Validates path, query and body together, so that one response names every field at fault.
 * @param beforeFault may throw what takes precedence over the faults of the input, by as much as was read of it
 */
export async function readInput(
  mounted: MountedRoute,
  request: Request,
  rawParams: Record<string, string>,
  body: IncomingBody,
  world: BodyWorld,
  beforeFault: (given: Pick<RequestInput, 'params' | 'query' | 'fields'>) => Promise<void> = async () => undefined,
): Promise<RequestInput> {
  const { query } = targetOf(request)
  requireShortQuery(query)
  const parsed = mounted.query.read(new URLSearchParams(query))
  const faults = firstOfEachPath([
    ...unreadable(rawParams, query),
    ...(mounted.params?.faults(rawParams) ?? []),
    ...(mounted.route.ignoresUnknownQuery ? [] : parsed.faults),
    ...mounted.query.validator.faults(parsed.value),
  ])
  const params = rawParams
  const read = await readBody(mounted, request, body, world).catch(async error => {
    await beforeFault({ params, query: parsed.value, fields: undefined })
    throw error
  })
  faults.push(...read.faults, ...workspaceFaults(mounted.route, parsed.value, read.fields))
  try {
    faults.push(...routeFaults(mounted, { query: parsed.value, body: read.body }, faults))
  } catch (error) {
    await read.close?.()
    throw error
  }
  if (faults.length > 0) {
    await read.close?.()
    await beforeFault({ params, query: parsed.value, fields: read.fields })
    throw validationError(faults)
  }
  const { bytes, ...input } = read
  // The bytes are let go of from here on: a request may run for minutes, and they are as much as all that was parsed from them.
  const isKept = keepsResponses(mounted.route) && request.headers.has('idempotency-key')
  return {
    ...input,
    params,
    query: parsed.value,
    fingerprint: isKept ? await fingerprint(request, bytes) : undefined,
  }
}

/** A runtime may accept far longer addresses, and each parameter is looked for among all of them. */
const QUERY_BYTES_MAX = 16 * 1024
const PARAMETERS_MAX = 200

function requireShortQuery(query: string): void {
  const tooLong = query.length > QUERY_BYTES_MAX && `must have at most ${QUERY_BYTES_MAX} bytes`
  const tooMany = query.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX
  const message = tooLong || (tooMany && `must have at most ${PARAMETERS_MAX} parameters`)
  if (message) throw validationError([{ path: 'query', message }])
}

interface ReadBody extends Omit<RequestInput, 'params' | 'query' | 'fingerprint'> {
  readonly faults: readonly ErrorDetail[]
  /** As received, without a streamed body. */
  readonly bytes: Uint8Array
}

async function readBody(
  mounted: MountedRoute,
  request: Request,
  incoming: IncomingBody,
  world: BodyWorld,
): Promise<ReadBody> {
  const { route, upload } = mounted
  if (upload) return fromUpload(await readUpload(upload, request, incoming, world))
  if (!mounted.body || route.raw) {
    const faults = route.raw ? [] : await unwantedBodyFaults(incoming, route.bodyMaxBytes)
    return { body: undefined, fields: undefined, faults, bytes: NO_BYTES, digest: undefined }
  }
  const { value, bytes } = await readJson(request, incoming, {
    maxBytes: route.bodyMaxBytes,
    valuesMax: route.bodyValuesMax,
  })
  const faults = mounted.body.faults(value)
  return { body: value, fields: value, faults, bytes, digest: undefined }
}

const NO_BYTES = new Uint8Array()

async function readUpload(
  upload: MountedUpload,
  request: Request,
  incoming: IncomingBody,
  world: BodyWorld,
): Promise<UploadBody & { readonly isStreamed: boolean }> {
  // Hashing costs time, and only a repetition is told from another request by it.
  const hashes = request.headers.has('idempotency-key')
  if (upload.kind === 'bytes')
    return { ...openByteStream(upload.definition, request, incoming, hashes), isStreamed: true }
  if (upload.kind === 'form') return { ...(await readForm(upload.form, request, incoming, world)), isStreamed: false }
  return { ...(await openFormStream(upload.form, request, incoming, hashes)), isStreamed: true }
}

function fromUpload(upload: UploadBody & { readonly isStreamed: boolean }): ReadBody {
  const { value, fields, faults, digest, selected, close, isStreamed } = upload
  const bytes = isStreamed ? NO_BYTES : Buffer.from(digest.known() ?? '')
  const rest = { ...(selected ? { selected } : {}), close }
  return { body: value, fields, faults, bytes, digest: isStreamed ? digest : undefined, ...rest }
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
function unreadable(rawParams: Record<string, string | null>, query: string): ErrorDetail[] {
  const message = 'must be percent-encoded UTF-8'
  const inPath = Object.keys(rawParams).filter(name => typeof rawParams[name] !== 'string')
  // A caller may send the replacement character itself.
  const inQuery = /%EF%BF%BD/i.test(query)
    ? []
    : [...new URLSearchParams(query)].filter(([, value]) => value.includes(REPLACEMENT))
  return [...new Set([...inPath, ...inQuery.map(([name]) => name)])].map(path => ({ path, message }))
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

/** Identifies a request among those under one Idempotency-Key by method, path, query and body. Others get a turn between pieces of a long body. */
async function fingerprint(request: Request, bytes: Uint8Array): Promise<string> {
  const { path, query } = targetOf(request)
  const hash = createHash('sha256').update(`${request.method} ${path}?${query}\n`)
  const steps = updateSteps(hash, bytes)
  if (bytes.length > HASH_BYTES) await paced(steps)
  else finish(steps)
  return hash.digest('hex')
}

/** So much is hashed in some tenths of a millisecond. */
const HASH_BYTES = 256 * 1024

function* updateSteps(hash: Hash, bytes: Uint8Array): Steps<void> {
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_BYTES))
    yield
  }
}
