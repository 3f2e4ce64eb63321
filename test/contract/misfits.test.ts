import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, ClientResponse, Json, RequestOptions } from '../support/client.ts'
import { inlined } from '../support/inlined.ts'
import { fieldsOf, fits } from './fitting.ts'
import { bodyWith, formWith } from './odd-texts.ts'
import { NOBODY, type Subject, subject } from './subject.ts'

interface Operation {
  readonly name: string
  readonly operation: Json
  send(target: Target): Promise<ClientResponse>
}

type Target = RequestOptions & { readonly place?: Readonly<Record<string, string>> }

let service: Subject
let operations: Operation[]

beforeAll(async () => {
  service = await subject()
  const account = await service.account()
  const session = await account.signIn()
  const reference = inlined((await account.client.get('/openapi.json')).body)
  operations = Object.entries<Json>(reference.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const caller = callerOf(operation, account.client, session).with({ 'x-confirm-password': account.password })
      return {
        name: `${method.toUpperCase()} ${path}`,
        operation,
        send: ({ place = {}, ...options }) =>
          caller.request(
            method.toUpperCase(),
            path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(place[name] ?? NOBODY)),
            options,
          ),
      }
    }),
  )
})

function callerOf({ security }: Json, client: Client, session: Client): Client {
  if (security?.length === 0) return service.anonymous
  return security ? session : client
}

const LONG = 'x'.repeat(10_000)
const VALUES: readonly Json[] = ['zz', '', ' \t\n', 7, 1.5, -1, 9e15, true, null, [], ['zz'], {}, { nonsense: 1 }, LONG]
const TEXTS = [
  'zz',
  '',
  ' \t\n',
  '-1',
  '1.5',
  'true',
  '9000000000000000',
  NOBODY.replace('8', 'z'),
  LONG.slice(0, 5000),
]

/** It takes messages of another protocol, with responses of its own to what is wrong. */
const OF_ANOTHER_PROTOCOL = 'POST /v1/mcp'

/** Sends a request and says what is wrong with the response, if it is not a 400 that names the field. */
async function faultOf({ name, send }: Operation, field: string, given: unknown, target: Target): Promise<string[]> {
  const { status: whole, body } = await send(target)
  // Each item of a batch is refused by itself.
  const [status, error] = whole === 207 ? [body.results[0].status, body.results[0].error] : [whole, body]
  const isNamed = (error?.details ?? []).some(
    ({ path }: Json) => path === field || path.startsWith(`${field}.`) || field.startsWith(`${path}.`),
  )
  if (status === 400 && error.error_code === 'VALIDATION_ERROR' && isNamed) return []
  return [
    `${name} ${field} = ${JSON.stringify(given)?.slice(0, 40)}: ${status} ${JSON.stringify(error)?.slice(0, 200)}`,
  ]
}

/** Reads a parameter as its schema types it. */
function read({ type, items }: Json, text: string): Json {
  if (type === 'array')
    return text
      .split(',')
      .filter(Boolean)
      .map(item => read(items, item))
  if (type === 'integer' || type === 'number') return /^-?\d/.test(text) ? Number(text) : text
  return type === 'boolean' && text === 'true' ? true : text
}

/** The subject holds each response to the statuses, codes and headers that the reference lists. */
describe('what the reference does not allow is refused by name', () => {
  test('in paths and queries', async () => {
    const faults: string[] = []
    let sent = 0
    for (const each of operations) {
      for (const { name, in: place, schema } of each.operation.parameters) {
        if (place === 'header') continue
        for (const text of TEXTS.filter(text => !fits(schema, read(schema, text)))) {
          if (place === 'path' && text === '') continue
          sent++
          const at = place === 'path' ? { place: { [name]: text } } : { query: { [name]: text } }
          faults.push(...(await faultOf(each, name, text, { ...at, ...bodyOf(each) })))
        }
      }
    }
    expect(faults).toEqual([])
    expect(sent).toBeGreaterThan(500)
  })

  test('in JSON, at every depth', async () => {
    const faults: string[] = []
    let sent = 0
    for (const each of operations.filter(({ name }) => name !== OF_ANOTHER_PROTOCOL)) {
      const json = each.operation.requestBody?.content['application/json']
      for (const { at, schema } of json ? fieldsOf(json.schema) : []) {
        for (const value of VALUES.filter(value => !fits(schema, value))) {
          const body = bodyWith(json.example, at, value)
          // Another member of a union may take it.
          if (fits(json.schema, body)) continue
          sent++
          faults.push(...(await faultOf(each, at.join('.'), value, { body })))
        }
      }
    }
    expect(faults).toEqual([])
    expect(sent).toBeGreaterThan(1000)
  })

  test('fields that there are not, also where there is no body', async () => {
    const faults: string[] = []
    for (const each of operations.filter(({ name }) => !name.startsWith('GET '))) {
      const content = each.operation.requestBody?.content
      if (content?.['multipart/form-data']) {
        faults.push(...(await faultOf(each, 'nonsense', 1, formWith({ nonsense: '1' }))))
        continue
      }
      const body = { ...content?.['application/json'].example, nonsense: 1 }
      faults.push(...(await faultOf(each, 'nonsense', 1, { body })))
    }
    expect(faults).toEqual([])
  })
})

function bodyOf({ operation }: Operation): RequestOptions {
  const content = operation.requestBody?.content
  if (!content) return {}
  if (content['application/json']) return { body: content['application/json'].example }
  return formWith({}, { name: 'a.txt', content: '{"text": "A river."}' })
}
