import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ErrorBody } from '../../core/errors.ts'
import type { BodyDefinition, ResponseSchemas } from '../../core/http/route.ts'
import type { FileRule, FileRules, StreamedForm, WholeForm } from '../../core/http/upload.ts'
import type { Requester, RequestOptions } from './request.ts'

/**
 * A call needs this of a route: the route itself, as `routesOf` makes it, or as much of another plugin's as a test
 * uses. Schemas of responses may leave out fields that the test does not read.
 */
export interface Endpoint {
  readonly method: string
  /** `/v1/things/:id` */
  readonly path: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: BodyDefinition
  readonly responses: ResponseSchemas
}

/** A file of an upload; a `File` keeps its name, others have that of their field. */
export type FileInput = Blob | string | Uint8Array<ArrayBuffer>

type Keys<R extends FileRules, Required extends boolean> = {
  [N in keyof R]: R[N] extends { readonly optional: true }
    ? Required extends true
      ? never
      : N
    : Required extends true
      ? N
      : never
}[keyof R]
type FilesInput<R extends FileRules> = { readonly [N in Keys<R, true>]: FilesUnder<R[N]> } & {
  readonly [N in Keys<R, false>]?: FilesUnder<R[N]>
}
type FilesUnder<R extends FileRule> = R extends { readonly maxCount: number } ? readonly FileInput[] : FileInput

/** A body as it is sent: JSON, or the fields and files of a form. */
type BodyInput<B> = B extends TSchema
  ? Static<B>
  : B extends WholeForm<infer F, infer R> | StreamedForm<infer F, infer R>
    ? Optional<'fields', Static<F>> & { readonly files: FilesInput<R> }
    : never

type Nothing = Record<never, never>
/** A property that may be left out where nothing in it is required. */
type Optional<N extends string, T> = Nothing extends T ? { readonly [K in N]?: T } : { readonly [K in N]: T }
/** Parameters whose type tells of a default, as those of pages, may be left out. */
type ParametersInput<O extends TObject> =
  O extends TObject<infer P>
    ? Omit<Static<O>, Filled<P>> & Partial<Pick<Static<O>, Filled<P> & keyof Static<O>>>
    : Static<O>
type Filled<P extends TProperties> = {
  [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never
}[keyof P]
type Declared<E, N extends string> = N extends keyof E ? Exclude<E[N], undefined> : never
/** An undeclared part has the widest type that it could have, or none. */
type Part<E, N extends 'params' | 'query'> =
  TObject extends Declared<E, N>
    ? unknown
    : [Declared<E, N>] extends [never]
      ? unknown
      : Declared<E, N> extends TObject
        ? Optional<N, ParametersInput<Declared<E, N>>>
        : unknown
type BodyPart<E> =
  BodyDefinition extends Declared<E, 'body'>
    ? unknown
    : [Declared<E, 'body'>] extends [never]
      ? unknown
      : Optional<'body', BodyInput<Declared<E, 'body'>>>

export type CallInput<E extends Endpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  BodyPart<E> &
  Pick<RequestOptions, 'headers'>
/** The input may be left out where the endpoint wants nothing. */
export type CallArguments<E extends Endpoint> =
  Nothing extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** A response by its status; `body` is a text where the schema is null. */
export type CallResponse<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    readonly status: S
    readonly body: E['responses'][S] extends TSchema ? Static<E['responses'][S]> : string
    readonly headers: Headers
  }
}[keyof E['responses'] & number]

/** The parts of an input, types erased. */
interface Input {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** @throws Error that names the endpoint, for a response that is none of its `responses`, or does not fit its schema */
export async function call<E extends Endpoint>(
  client: Requester,
  endpoint: E,
  input: Input = {},
): Promise<CallResponse<E>> {
  const { status, body, headers } = await send(client, endpoint, input)
  const schema = endpoint.responses[status]
  const said = () => `${endpoint.method} ${endpoint.path} answered ${status}`
  if (schema === undefined) throw new Error(`${said()}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
  const fault = schema && Value.Errors(schema, body).First()
  if (fault) throw new Error(`${said()} against its schema: ${fault.path || 'the body'}: ${fault.message}`)
  // The status is one of the endpoint's, and the body fits its schema.
  return { status, body, headers } as CallResponse<E>
}

/** @throws Error that names the endpoint, for a response that is no error */
export async function refusal(client: Requester, endpoint: Endpoint, input: Input = {}): Promise<ErrorBody> {
  const { status, body } = await send(client, endpoint, input)
  if (status >= 400) return body
  throw new Error(`${endpoint.method} ${endpoint.path} answered ${status}, where an error was expected`)
}

function send(client: Requester, { method, path, body: schema }: Endpoint, input: Input) {
  const { params = {}, query, body, headers = {} } = input
  const segment = (name: string) => {
    if (params[name] === undefined) throw new TypeError(`${method} ${path} wants the path parameter ${name}`)
    return String(params[name])
  }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(segment(name)))
  const options: RequestOptions = { query: texts(query), headers }
  if (!schema || !('upload' in schema)) return client.request(method, filled, { ...options, body })
  return client.request(method, filled, { ...options, raw: isForm(body) ? formOf(body) : (body as BodyInit) })
}

/** Lists are sent as repeated parameters. */
function texts(query: Input['query'] = {}): Record<string, string | string[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

interface FormInput {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, FileInput | readonly FileInput[] | undefined>>
}

function isForm(body: unknown): body is FormInput {
  return typeof body === 'object' && body !== null && 'files' in body
}

function formOf({ fields = {}, files }: FormInput): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) data.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
  }
  for (const [name, given = []] of Object.entries(files)) {
    for (const file of [given].flat()) data.append(name, file instanceof File ? file : new File([file], name))
  }
  return data
}
