import {
  type Caller,
  coerced,
  compileValidator,
  type ErrorBody,
  fail,
  noContent,
  type RelayedRequest,
  type RouteResponse,
  type Static,
  type Tenant,
  type TObject,
  Type,
  type Validator,
  validationError,
} from 'mneme/plugin'
import { type Service, unsupported } from './service.ts'

/** The interface of another service, spoken under `/bridges/<id>`. */
export interface Bridge {
  readonly id: 'mem0' | 'supermemory' | 'zep'
  /** Makes the body of a failure as the other service has it. */
  failureBody(error: ErrorBody): unknown
  /** Fields of any request that have no effect here. */
  readonly unread: readonly string[]
  /** The first row whose method and path fit takes a request. */
  readonly rows: readonly Row[]
}

export type Method = RelayedRequest['method']

/** One call of the other service: a row of the table that the documents show. */
export interface Row {
  /** Methods and paths, as `GET /v1/things/:id`, without a slash at the end; the other service may have several for one call. */
  readonly places: readonly string[]
  /** The method of the other service's client. */
  readonly call: string
  /** Tells which operations of this service are carried out; of a refused call, why it is and what to do instead. */
  readonly here: string
  /** Left out of a call that has no counterpart, which is refused with `here`. */
  readonly handle?: (asked: Asked) => Promise<RouteResponse>
}

/** A request of the other service's client, as it came. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly service: Service
  readonly caller: Caller
  readonly tenant: Tenant
  /** True where the server lets keys delete all memories of a scope without the account's password. */
  readonly deletesAll: boolean
}

interface Call<B, Q> extends Omit<Asked, 'query' | 'body'> {
  readonly query: Q
  readonly body: B
}

interface RowDefinition<B extends TObject, Q extends TObject> {
  readonly here: string
  /** Any other field is a fault of the request, so that none is ignored; null stands for a field that is left out. */
  readonly body?: B
  readonly query?: Q
  /** Fields that the other service knows and this one does not; false and null are as left out. */
  readonly without?: readonly string[]
  /** Tells of a success; 200 where it is left out, and 204 where there is no body. */
  readonly status?: 201 | 202
  /** Makes the body of a success. */
  handle(call: Call<Static<B>, Static<Q>>): Promise<unknown>
}

const NOTHING = Type.Object({})

/** Makes a row whose handler gets a body and a query that fit its schemas. */
export function row<B extends TObject = TObject, Q extends TObject = TObject>(
  places: string | readonly string[],
  call: string,
  definition: RowDefinition<B, Q>,
): Row {
  const { here, body = NOTHING, query = NOTHING, without = [], status = 200 } = definition
  let validators: { readonly body: Validator<unknown>; readonly query: Validator<unknown> } | undefined
  return {
    places: [places].flat(),
    call,
    here,
    async handle(asked) {
      validators ??= { body: compileValidator(body), query: compileValidator(query) }
      const given = {
        body: readFields(asked.body, without),
        query: coerced(query, readFields(Object.fromEntries(asked.query), without), 'arguments'),
      }
      const faults = [...validators.body.faults(given.body), ...validators.query.faults(given.query)]
      if (faults.length > 0) throw validationError(faults)
      // The cast is safe because the validators have just accepted both.
      const fitting = given as { body: Static<B>; query: Static<Q> }
      const made = await definition.handle({ ...asked, ...fitting })
      return made === undefined ? noContent : { status, body: made }
    },
  }
}

/** A call that has no counterpart here. */
export function refused(places: string | readonly string[], call: string, here: string): Row {
  return { places: [places].flat(), call, here }
}

function readFields(given: Readonly<Record<string, unknown>>, without: readonly string[]) {
  const meant = Object.entries(given).filter(([name, value]) => value !== null && !(without.includes(name) && !value))
  const missing = meant.find(([name]) => without.includes(name))
  if (missing) throw unsupported(`Mneme has no counterpart of \`${missing[0]}\`; leave it out.`)
  return Object.fromEntries(meant)
}

/** Carries out a request by the row that fits it. */
export async function answer(
  { rows, unread }: Bridge,
  method: string,
  path: string,
  asked: Omit<Asked, 'params'>,
): Promise<RouteResponse> {
  const parts = path.split('/').filter(part => part !== '')
  const query = new URLSearchParams([...asked.query].filter(([name]) => !unread.includes(name)))
  const body = Object.fromEntries(Object.entries(asked.body).filter(([name]) => !unread.includes(name)))
  for (const { places, here, handle } of rows) {
    const params = places.map(place => paramsOf(place, [method, ...parts])).find(found => found !== undefined)
    if (!params) continue
    if (!handle) throw unsupported(here)
    return handle({ ...asked, query, body, params })
  }
  throw fail('NOT_FOUND')
}

function paramsOf(place: string, parts: readonly string[]): Record<string, string> | undefined {
  const pattern = place.split(/ ?\//)
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [n, expected] of pattern.entries()) {
    const part = parts[n] ?? ''
    if (expected.startsWith(':')) params[expected.slice(1)] = decoded(part)
    else if (expected !== part) return undefined
  }
  return params
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw validationError([{ path: 'path', message: 'must be percent-encoded UTF-8' }])
  }
}
