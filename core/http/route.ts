import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Caller, Tenant } from '../auth/caller.ts'
import { isAtLeast } from '../auth/roles.ts'
import type { ErrorBody } from '../errors.ts'
import type { Wiring } from '../ports.ts'
import type { Download } from './download.ts'
import type { ErasedCheck, RouteCheck } from './route-check.ts'
import type { ShareClass } from './shares.ts'
import { type RouteSubject, servesSubject } from './subject.ts'
import type { UploadDefinition, UploadOf } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that a handler has another route of this service carry out for its own caller. */
export interface RelayedRequest {
  readonly method: Method
  /** As the route declares it, e.g. `/v1/things/:id`; it gives JSON. */
  readonly path: string
  /** Parts of the path by their names, not encoded. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: URLSearchParams
  /** Sent as JSON; a `FormData` as a form. */
  readonly body?: unknown
  /** The relaying plugin has made sure of what the route would ask a password for, which the caller's protocol has no place for. */
  readonly confirmed?: boolean
}

export interface RelayedResponse {
  readonly status: number
  /** Parsed JSON; undefined where there is no body. */
  readonly body: unknown
  /** Given by refusals for now. */
  readonly retryAfterSeconds?: number
}

/**
 * Resolves to the response of the other route, failures included; one of over 1 MB is RESPONSE_TOO_LARGE. The first request that is relayed counts
 * with the one that it came with, each further one by itself.
 */
export type Relay = (request: RelayedRequest) => Promise<RelayedResponse>

/**
 * Says who may call a route.
 * - a permission name: a key that has it, or the account's console session
 * - `anyKey`: any valid key or session
 * - `account`: a signed-in owner or admin of the workspace, never a key
 * - `person`: a signed-in account, whatever its role in the workspace, never a key
 * - `public`: anyone
 */
export type Access = { permission: string } | 'anyKey' | 'account' | 'person' | 'public'

/** A handler's input; every part is validated and typed by the route's schemas. */
export interface RouteInput<S, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The scope that the plugin's `setup` returned. */
  readonly scope: S
  readonly caller: Caller
  /** This request works on this workspace, already checked against the caller. */
  readonly tenant: Tenant
  readonly request: Request
  readonly requestId: string
  /**
   * The same text whenever this request is run again under its Idempotency-Key, as after a crash, and another for any other request; absent
   * without a key. What several transactions write can be told by it as this request's own.
   */
  readonly idempotencySeed?: string
  /** Has another route carry out a request of this caller; for routes that say `relays`. */
  readonly relay: Relay
}

/** A handler returns it for a success. Failures are thrown as AppError. */
export interface RouteResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export const ok = (body: unknown): RouteResponse => ({ status: 200, body })
export const created = (body: unknown): RouteResponse => ({ status: 201, body })
export const accepted = (body: unknown): RouteResponse => ({ status: 202, body })
export const multiStatus = (body: unknown): RouteResponse => ({ status: 207, body })
export const noContent: RouteResponse = { status: 204 }

/** Contributions of other plugins add this to a route. */
export interface RouteAdditions {
  /** Adds parameters beside those of `query`; all optional. */
  readonly query?: TProperties
  /** Adds fields beside those of `body`, which is an object then; all optional. */
  readonly body?: TProperties
  /** Replaces schemas of success bodies in `responses`, by status. */
  readonly responses?: Readonly<Record<number, TSchema>>
  /** Adds codes beside those of `errors`. */
  readonly errors?: readonly string[]
}

/** A route declares its body so: a schema of JSON, or an upload (`form`, `formStream`). */
export type BodyDefinition = TSchema | UploadDefinition

/** The handler finds this as body. */
export type BodyOf<B extends BodyDefinition> = B extends TSchema
  ? Static<B>
  : B extends UploadDefinition
    ? UploadOf<B>
    : never

/** Maps a status to the schema of its success body, `null` for a response without a body. */
export type ResponseSchemas = Readonly<Record<number, TSchema | null>>

export interface RouteDefinition<
  S,
  P extends TObject,
  Q extends TObject,
  B extends BodyDefinition,
  R extends ResponseSchemas = ResponseSchemas,
> {
  method: Method
  /** Absolute, e.g. `/v1/things/:id`. */
  path: string
  access: Access
  /**
   * Says how a key that is bound to a user is held to that user; `nobody` for a route that tells nothing of any user. Left out, the route refuses
   * such keys.
   */
  subject?: RouteSubject | 'nobody'
  /** Names the operation in the reference and in clients made from it, as `createThing`; made of method and path by default. */
  operationId?: string
  summary: string
  description?: string
  /** Defaults to the plugin's name in the reference. */
  tag?: string
  params?: P
  query?: Q
  /** Unknown query parameters are no fault: probes and balancers add some of their own. */
  ignoresUnknownQuery?: boolean
  /** Without one, anything but an empty body and `{}` is a fault of the request, unless the route is raw. */
  body?: B
  /** Rules that the schemas cannot express: checked with them, so before the workspace and before an Idempotency-Key is used. */
  checks?: readonly RouteCheck<S, Static<Q>, BodyOf<B>>[]
  /** Bounds a JSON or raw body; 1 MB. An upload declares its own. */
  bodyMaxBytes?: number
  /** Bounds the JSON of a response; 64 MB. A larger one becomes RESPONSE_TOO_LARGE; a download has no limit. */
  responseMaxBytes?: number
  /** Bounds the values of a JSON body, nested ones included; 50,000. */
  bodyValuesMax?: number
  /** The reference, the contract tests and the clients of `mneme/testing` use these. */
  responses: R
  /** Content type of a response that is not JSON and has `null` in `responses`, or all that it may have; shown in the reference. */
  contentType?: string | readonly string[]
  /**
   * Its GET responds 200 with a {@link Download} of `contentType`, which the reference shows with its parts and
   * conditions.
   */
  download?: boolean
  /**
   * Shows an example of a request body and of the success body in the reference; `responses` for those of one status.
   */
  examples?: { body?: unknown; response?: unknown; responses?: Readonly<Record<number, unknown>> }
  /** Lists codes of its own that this route may respond with, beyond those every route shares. */
  errors?: readonly string[]
  /**
   * Returns what other plugins add; called once, when all are set up. The handler finds the additions beside its own
   * fields.
   */
  additions?: (wiring: Wiring) => RouteAdditions
  /**
   * Says how the request's workspace is found. `select` (the default): the caller's own, or the one named by
   * `workspace_id` in the query or JSON body (the kernel adds the field to both schemas). `{ param }`: the one in this
   * path parameter. `none`: the route works on no workspace and `tenant` is the caller's own.
   */
  workspace?: 'select' | 'none' | { param: string }
  /**
   * Served also when the month's requests or tokens of the workspace's plan are used up, and counted all the same: what
   * shows that they are, changes the plan, or takes data out of the service.
   */
  beyondQuota?: boolean
  /** A raw route reads the request itself (protocols with parsers of their own), up to `bodyMaxBytes`; its body schema is shown only. */
  raw?: boolean
  /**
   * This POST changes nothing: its responses are not kept for an Idempotency-Key, which is accepted and means nothing.
   */
  reads?: boolean
  /**
   * The handler does next to nothing itself and has other routes do the work, by `relay`. Each of them takes its turn and keeps its responses for an
   * Idempotency-Key; this one does neither.
   */
  relays?: boolean
  /** Names headers of a protocol of its own, which browsers of allowed origins may send then. */
  readsHeaders?: readonly string[]
  /**
   * Makes the body of a failure, for a route of another service's interface. The reference leaves such a route out, and its body may be missing.
   */
  failureBody?(error: ErrorBody): unknown
  /**
   * Classes the route by what a request costs; `light`, `heavy` for a list in pages, and `upload` for one that takes an upload. Each workspace has a
   * bounded number of requests of each class at work in a process, and the rest wait behind their own.
   */
  share?: ShareClass
  /** Balancers and supervisors ask this public route, so it answers however many requests its caller's address has sent. */
  probe?: boolean
  /** This public route reads the console session itself, which need not be there where it is `optional`; shown in the reference. */
  readsSession?: boolean | 'optional'
  /** Its success sets the console session's cookie; shown in the reference. */
  setsCookie?: boolean
  /** The success response holds a secret that is shown once, so it is never kept for idempotent replays. */
  secretResponse?: boolean
  /**
   * Handles HEAD in place of `handle`, with the same status and headers, where that spares work. A download needs none.
   */
  head?(input: RouteInput<S, Static<P>, Static<Q>, BodyOf<B>>): HandlerResult
  /** Makes the `WWW-Authenticate` of its 401, which tells a client where it gets credentials. */
  challenge?(input: { readonly request: Request; readonly scope: S }): string | undefined
  /** Returns a Response of its own making only when `raw`, or a stream of its protocol when it `relays`. */
  handle(input: RouteInput<S, Static<P>, Static<Q>, BodyOf<B>>): HandlerResult
}

/** A route with its types erased, as manifests and the kernel hold it. */
export type Route<S = never> = Omit<
  RouteDefinition<S, TObject, TObject, BodyDefinition>,
  'handle' | 'head' | 'checks' | 'challenge'
> & {
  challenge?(input: { readonly request: Request; readonly scope: S }): string | undefined
  checks?: readonly ErasedCheck<S>[]
  head?(input: RouteInput<S, never, never, never>): HandlerResult
  handle(input: RouteInput<S, never, never, never>): HandlerResult
}

export const isForPeople = (access: Access) => access === 'account' || access === 'person'

/** Tells whether the route admits a caller. */
export function mayCall(route: Pick<Route, 'access' | 'subject' | 'relays'>, caller: Caller): boolean {
  const { access } = route
  const { kind, permissions, subject, role = 'owner' } = caller
  if (subject && access !== 'public' && !servesSubject(route, subject)) return false
  if (access === 'public' || access === 'anyKey') return true
  if (isForPeople(access)) return kind === 'session' && (access === 'person' || isAtLeast(role, 'admin'))
  return permissions === 'all' || permissions.has(access.permission)
}

/** Tells whether a route accepts an Idempotency-Key. */
export function takesIdempotencyKey({ method, access, raw }: Route): boolean {
  return method === 'POST' && access !== 'public' && !raw
}

/** Tells whether a request may have changed something once its handler was called. */
export function changesSomething({ method, reads }: Pick<Route, 'method' | 'reads'>): boolean {
  return method !== 'GET' && !reads
}

/** Tells whether a repetition under the same Idempotency-Key gets the first response; elsewhere it is carried out. */
export function keepsResponses(route: Route): boolean {
  return takesIdempotencyKey(route) && !route.reads && !route.relays
}

type HandlerResult = Promise<RouteResponse | Download | Response> | RouteResponse | Download | Response

/** This route still knows its schemas, so that the test client of `mneme/testing` types requests and responses. */
export type TypedRoute<
  S,
  P extends TObject,
  Q extends TObject,
  B extends BodyDefinition,
  R extends ResponseSchemas,
> = Omit<Route<S>, 'params' | 'query' | 'body' | 'responses'> & {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly responses: R
}

/**
 * Makes a builder of routes whose handlers see `S` as their scope: `const route = routesOf<ThingsScope>()`. The schemas
 * type the handler's input.
 */
export function routesOf<S>() {
  return <P extends TObject, Q extends TObject, B extends BodyDefinition, R extends ResponseSchemas>(
    definition: RouteDefinition<S, P, Q, B, R>,
  ): TypedRoute<S, P, Q, B, R> => definition as TypedRoute<S, P, Q, B, R>
}
