import { expect } from 'bun:test'
import { type AccountOptions, ENCRYPTION_KEY, openAccounts, type TestAccount } from '../support/accounts.ts'
import { Client, type Json } from '../support/client.ts'
import { oncePerRun, onEnd } from '../support/closing.ts'
import { databaseUrl, ownDatabaseUrl } from '../support/database.ts'
import { inlined } from '../support/inlined.ts'
import { startServer } from '../support/process.ts'
import { service, startService } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { misfits } from './fitting.ts'

/** Gives access to the service under test over HTTP only. Accounts are made beside it, since no endpoint makes any. */
export interface Subject {
  readonly anonymous: Client
  account(options?: AccountOptions): Promise<TestAccount>
}

type Fetch = (request: Request) => Promise<Response>

/**
 * All contract tests share this service: in this process, or with `MNEME_RUNTIME` as a process of its own on that
 * runtime. Every response is held to what all responses have in common and to the service's own reference.
 */
export function subject(): Promise<Subject> {
  return oncePerRun('contract', async () => (process.env.MNEME_RUNTIME ? spawned(await databaseUrl()) : inProcess()))
}

/**
 * Starts a further service with settings of its own, on a database of its own: others' workers would do its jobs by
 * theirs.
 */
export async function subjectWith(settings: Record<string, string>): Promise<Subject> {
  const url = await ownDatabaseUrl()
  if (process.env.MNEME_RUNTIME) return spawned(url, settings)
  const { kernel } = await startService(settings, { url })
  return checked(kernel.fetch, 'http://localhost', url)
}

async function inProcess(): Promise<Subject> {
  const { kernel } = await service()
  return checked(kernel.fetch, 'http://localhost', await databaseUrl())
}

async function spawned(url: string, settings: Record<string, string> = {}): Promise<Subject> {
  const server = await startServer({ DATABASE_URL: url, ENCRYPTION_KEY, ...settings })
  return checked(request => fetch(request), server.url, url)
}

async function checked(fetch: Fetch, base: string, databaseUrl: string): Promise<Subject> {
  const reference = inlined(await (await fetch(new Request(`${base}/openapi.json`))).json())
  const anonymous = new Client(
    async request => {
      const response = await fetch(request.clone())
      await checkResponse(reference, request, response.clone())
      return response
    },
    {},
    base,
  )
  const accounts = openAccounts(databaseUrl, anonymous)
  onEnd(() => accounts.close())
  return { anonymous, account: accounts.make }
}

/** Checks a response against the rules that every response of the service keeps to. */
async function checkResponse(reference: Json, request: Request, response: Response): Promise<void> {
  const { pathname } = new URL(request.url)
  const what = `${request.method} ${pathname} ${response.status}`
  expect([what, response.headers.get('x-request-id') ?? '']).toEqual([what, expect.stringMatching(/^[\w.:-]{1,128}$/)])
  const text = await response.text()
  if (response.status === 204) expect([what, text]).toEqual([what, ''])
  const documented = operationOf(reference, request.method, pathname)
  if (documented) {
    expect([what, Object.keys(documented.responses)]).toEqual([what, expect.arrayContaining([String(response.status)])])
    const sent = Object.keys(reference.components.headers).filter(name => response.headers.has(name))
    const named = Object.keys(documented.responses[response.status].headers)
    expect([what, named]).toEqual([what, expect.arrayContaining(sent)])
    const type = response.headers.get('content-type')?.split(';')[0]?.trim()
    const types = Object.keys(documented.responses[response.status].content ?? {})
    if (text !== '') expect([what, types]).toEqual([what, expect.arrayContaining([type])])
    const schema = documented.responses[response.status].content?.[type ?? '']?.schema
    // Downloads are described as bytes, whatever they hold.
    const isValue = type === 'application/json' && schema && schema.format !== 'binary'
    if (text !== '' && isValue) expect([what, misfits(schema, JSON.parse(text))]).toEqual([what, []])
  }
  if (response.status < 400 || pathname === '/ready') return
  if (request.method === 'HEAD') return
  const body: Json = JSON.parse(text)
  expect([what, body]).toEqual([
    what,
    {
      status_code: response.status,
      error: STATUS_TEXTS[response.status],
      message: expect.any(String),
      error_code: expect.stringMatching(/^[A-Z_]+$/),
      ...(body.error_code === 'VALIDATION_ERROR' ? { details: expect.any(Array) } : {}),
    },
  ])
  for (const { path, message } of body.details ?? [])
    expect([typeof path, typeof message]).toEqual(['string', 'string'])
  if (documented && response.status !== 500) {
    const codes = Object.keys(documented.responses[response.status].content['application/json'].examples ?? {})
    expect([what, codes]).toEqual([what, expect.arrayContaining([body.error_code])])
  }
}

const STATUS_TEXTS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Finds the reference's entry for a request; paths without parameters come first, as they do in the router. */
export function operationOf(reference: Json, method: string, pathname: string): Json {
  const paths = Object.keys(reference.paths).toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  const found = paths.find(path => {
    const pattern = path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace('{path}', '.+')
      .replace(/\{[^}]+\}/g, '[^/]+')
    return new RegExp(`^${pattern}$`).test(pathname.replace(/\/$/, ''))
  })
  return found ? reference.paths[found][method.toLowerCase()] : undefined
}

/** Nothing has this id. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Waits until a memory is processed and returns it. */
export function processed(client: Client, id: string): Promise<Json> {
  return until('the memory is processed', async () => {
    const { body } = await client.get(`/v1/memories/${id}`)
    return body.status === 'COMPLETED' ? body : undefined
  })
}

/** Creates a memory and returns it. */
export async function remember(client: Client, memory: string, fields: object = {}): Promise<Json> {
  const response = await client.post('/v1/memories', { memory, ...fields })
  expect(response.status).toBe(201)
  return response.body
}
