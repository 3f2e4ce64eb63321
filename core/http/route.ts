import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Caller, Tenant } from '../auth/caller.ts'
import type { Wiring } from '../ports.ts'
import type { Download } from './download.ts'
import type { UploadDefinition, UploadOf } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route.
 * - a permission name: a key that has it, or the account's console session
 * - `anyKey`: any valid key or session
 * - `account`: a signed-in account only, never a key
 * - `public`: anyone
 */
export type Access = { permission: string } | 'anyKey' | 'account' | 'public'

/** What a handler is called with; every part is validated and typed by the route's schemas. */
export interface RouteInput<S, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** What the plugin's `setup` returned as its scope. */
  readonly scope: S
  readonly caller: Caller
  /** The workspace this request works on, already checked against the caller. */
  readonly tenant: Tenant
  readonly request: Request
  readonly requestId: string
}

/** A handler's success. Failures are thrown as AppError. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
export const accepted = (body: unknown): Answer => ({ status: 202, body })
export const multiStatus = (body: unknown): Answer => ({ status: 207, body })
export const noContent: Answer = { status: 204 }

/** What contributions of other plugins add to a route. */
export interface RouteAdditions {
  /** Parameters beside those of `query`; all optional. */
  readonly query?: TProperties
  /** Fields beside those of `body`, which is an object then; all optional. */
  readonly body?: TProperties
  /** Schemas of success bodies that replace those of `responses`, by status. */
  readonly responses?: Readonly<Record<number, TSchema>>
  /** Codes beside those of `errors`. */
  readonly errors?: readonly string[]
}

/** What a route may declare as its body: a schema of JSON, or an upload (`form`, `formStream`, `byteStream`). */
export type BodyDefinition = TSchema | UploadDefinition

/** What its handler finds as body. */
export type BodyOf<B extends BodyDefinition> = B extends TSchema
  ? Static<B>
  : B extends UploadDefinition
    ? UploadOf<B>
    : never

export interface RouteDefinition<S, P extends TObject, Q extends TObject, B extends BodyDefinition> {
  method: Method
  /** Absolute, e.g. `/v1/things/:id`. */
  path: string
  access: Access
  summary: string
  description?: string
  /** Defaults to the plugin's name in the reference. */
  tag?: string
  params?: P
  query?: Q
  /** Query parameters it does not know are no fault: probes and balancers add some of their own. */
  ignoresUnknownQuery?: boolean
  body?: B
  /** A JSON or raw body at the most; 1 MB. An upload declares its own. */
  bodyMaxBytes?: number
  /** Status to schema of the success bodies, `null` for an answer without a body. Used by the reference and the contract tests. */
  responses: Readonly<Record<number, TSchema | null>>
  /** Content type of an answer that is not JSON and has `null` in `responses`; shown in the reference. */
  contentType?: string
  /** Its GET answers 200 with a {@link Download} of `contentType`, which the reference shows with its parts and conditions. */
  download?: boolean
  /** Example of a request body and of the success body, shown in the reference; `responses` for those of one status. */
  examples?: { body?: unknown; response?: unknown; responses?: Readonly<Record<number, unknown>> }
  /** Codes of its own this route may answer with, beyond those every route shares. */
  errors?: readonly string[]
  /** What other plugins add; called once, when all are set up. The handler finds what they add beside its own fields. */
  additions?: (wiring: Wiring) => RouteAdditions
  /**
   * How the request's workspace is found. `select` (the default): the caller's own, or the one named by `workspace_id` in
   * the query or JSON body (the kernel adds the field to both schemas). `{ param }`: the one in this path parameter.
   * `none`: the route works on no workspace and `tenant` is the caller's own.
   */
  workspace?: 'select' | 'none' | { param: string }
  /** A raw route reads the request itself (protocols with parsers of their own), up to `bodyMaxBytes`; its body schema is shown only. */
  raw?: boolean
  /** A public route that reads the console session itself; shown in the reference. */
  readsSession?: boolean
  /** Its success sets the console session's cookie; shown in the reference. */
  setsCookie?: boolean
  /** The success answer holds a secret that is shown once, so it is never kept for idempotent replays. */
  secretAnswer?: boolean
  /** Answers HEAD in place of `handle`, with the same status and headers, where that spares work. A download needs none. */
  head?(input: RouteInput<S, Static<P>, Static<Q>, BodyOf<B>>): HandlerResult
  /** Answers with a Response of its own making only when `raw`. */
  handle(input: RouteInput<S, Static<P>, Static<Q>, BodyOf<B>>): HandlerResult
}

/** A route with its types erased, as manifests and the kernel hold it. */
export type Route<S = never> = Omit<RouteDefinition<S, TObject, TObject, BodyDefinition>, 'handle' | 'head'> & {
  head?(input: RouteInput<S, never, never, never>): HandlerResult
  handle(input: RouteInput<S, never, never, never>): HandlerResult
}

type HandlerResult = Promise<Answer | Download | Response> | Answer | Download | Response

/**
 * A builder of routes whose handlers see `S` as their scope: `const route = routesOf<ThingsScope>()`.
 * The schemas type the handler's input.
 */
export function routesOf<S>() {
  return <P extends TObject, Q extends TObject, B extends BodyDefinition>(
    definition: RouteDefinition<S, P, Q, B>,
  ): Route<S> => definition as Route<S>
}
