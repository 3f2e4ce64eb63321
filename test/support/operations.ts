import type { Client, ClientResponse, Json } from './client.ts'

/** An operation as the reference describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly params: readonly string[]
  readonly query: readonly string[]
  readonly body: Json | undefined
  /** The names of the fields of a body or form. */
  readonly fields: readonly string[]
  readonly isForm: boolean
}

/** Tells whether an operation takes requests of nobody in particular, whoever else may send them. */
export function isOpenToAnyone({ security }: Json): boolean {
  return security?.length === 0 || (security ?? []).some((way: Json) => Object.keys(way).length === 0)
}

/** Lists the operations of a reference that are for callers with a key. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, { operationId, parameters = [], requestBody, security }]) => {
      if (isOpenToAnyone({ security }) || path.startsWith('/v1/auth/')) return []
      const content = requestBody?.content ?? {}
      const [media] = Object.values<Json>(content)
      const schema = resolved(document, media?.schema)
      const named = (place: string) => parameters.filter((one: Json) => one.in === place).map(({ name }: Json) => name)
      const body = media?.example ?? Object.values<Json>(media?.examples ?? {})[0]?.value
      return [
        {
          id: operationId,
          method: method.toUpperCase(),
          path,
          params: named('path'),
          query: named('query'),
          body: requestBody ? (body ?? {}) : undefined,
          fields: Object.keys(schema?.properties ?? {}),
          isForm: 'multipart/form-data' in content,
        },
      ]
    }),
  )
}

function resolved(document: Json, schema: Json): Json {
  if (!schema?.$ref) return schema
  return resolved(
    document,

    schema.$ref
      .slice(2)
      .split('/')
      .reduce((at: Json, name: string) => at[name], document),
  )
}

/** A request says this beside what the operation's example says. */
export interface Said {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const QUERIES: Readonly<Record<string, string>> = {
  query: 'Where do I live and what do I like?',
  start_date: '2026-01-01',
}

/** Sends the example of an operation with what is said instead, and without whose it is. */
export async function sendExample(
  client: Client,
  operation: Operation,
  said: Said,
  password: string,
): Promise<ClientResponse> {
  const { method, params, query, isForm, body } = operation
  const needed = Object.fromEntries(query.flatMap(name => (QUERIES[name] ? [[name, QUERIES[name]]] : [])))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(said.params?.[name] ?? ''))
  if (params.some(name => said.params?.[name] === undefined)) throw new Error(`${method} ${path} needs its parameters`)
  const options = { query: { ...needed, ...said.query }, headers: { 'x-confirm-password': password } }
  if (path.endsWith('/download')) {
    // Its lines are JSON each, and together none.
    const response = await client.fetch(new Request(`http://localhost${path}`, { headers: client.headers }))
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  if (!isForm) {
    const sentBody = body === undefined ? {} : { body: { ...withoutOwner(body), ...said.body } }
    return client.request(method, path, { ...options, ...sentBody })
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(said.body ?? {})) form.set(name, String(value))
  form.set('file', new Blob(['# Notes\n\nThe contract ends in May.\n']), 'notes.md')
  return client.request(method, path, { ...options, raw: form })
}

let texts = 0
/** A text that nothing else has. */
export const text = () => `I own bicycle number ${texts++}.`

/** The example of a body, with texts that nothing else has. */
function withoutOwner({ user_id: _, agent_id: __, session_id: ___, version: ____, ...body }: Json): Json {
  if (Array.isArray(body.memories))
    return { ...body, memories: [{ memory: text() }, { memory: text(), user_id: null }] }
  return typeof body.memory === 'string' ? { ...body, memory: text() } : body
}
