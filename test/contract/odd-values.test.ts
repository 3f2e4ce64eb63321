import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, ClientResponse, Json, RequestOptions } from '../support/client.ts'
import { inlined } from '../support/inlined.ts'
import type { TestAccount } from '../support/service.ts'
import { bodyWith, type FieldPath, formWith, ODD_TEXTS, type OddText, textFields } from './odd-texts.ts'
import { NOBODY, remember, type Subject, subject, subjectWith } from './subject.ts'

let service: Subject
let account: TestAccount
let session: Client
let reference: Json
/** Things there are, by the path under which they are found: what only looks up an id never sees the rest of a request. */
let places: Map<string, string>

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  session = await account.signIn()
  reference = inlined((await account.client.get('/openapi.json')).body)
  places = await makePlaces()
})

/** Nobody is there, and this event is never published. */
const WEBHOOK = { url: 'http://93.184.216.34/odd', events: ['memory.restored'] }

async function makePlaces(): Promise<Map<string, string>> {
  const { client } = account
  const idOf = async (path: string, body: object, by = client) => (await by.post(path, body)).body.id
  const template = { name: 'Odd', variables: [{ name: 'who' }], memories: [{ memory: '{{who}} was met.' }] }
  const job = await client.request('POST', '/v1/memories/ingest', formWith({}, { name: 'a.txt', content: 'A river.' }))
  const key = { name: 'odd', workspace_id: account.workspaceId, permissions: ['memory.read'] }
  return new Map([
    ['/v1/memories/{id}', (await remember(client, 'Ada met somebody.')).id],
    ['/v1/memories/conversations/{id}', await idOf('/v1/memories/conversations', conversation('I live in Porto.'))],
    ['/v1/templates/{id}', await idOf('/v1/templates', template)],
    ['/v1/webhooks/{id}', await idOf('/v1/webhooks', WEBHOOK)],
    ['/v1/ingest-jobs/{id}', job.body.id],
    ['/v1/api-keys/{id}', await idOf('/v1/api-keys', key, session)],
    ['/v1/workspaces/{id}', account.workspaceId],
  ])
}

const conversation = (content: string) => ({ messages: [{ role: 'user', content }] })

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Json
}

/** Those of `/v1/auth` count wrong passwords by address, so they have a test of their own. */
function operations(isAuth = false): Operation[] {
  return Object.entries<Json>(reference.paths)
    .filter(([path]) => path.startsWith('/v1/auth/') === isAuth)
    .flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
}

/** Fills the parameters of a path, all but one with what there is. */
function placeIn(path: string, odd?: { readonly parameter: string; readonly encoded: string }): string {
  const known = [...places].find(([place]) => path === place || path.startsWith(`${place}/`))
  return path.replace(/\{([^}]+)\}/g, (_, name) => {
    if (odd && odd.parameter === name) return odd.encoded
    if (name === 'workspaceId') return account.workspaceId
    return name === 'id' && known ? known[1] : NOBODY
  })
}

function send({ path, method }: Operation, target: string, options: RequestOptions = {}): Promise<ClientResponse> {
  const caller = path.startsWith('/v1/api-keys') ? session : account.client
  return caller.with({ 'x-confirm-password': account.password }).request(method, target, options)
}

/** @returns whether the text was taken */
function check(what: string, odd: OddText, { status: whole, body }: ClientResponse): boolean {
  // Each item of a batch is refused by itself.
  const status: number = whole === 207 ? body.results[0].status : whole
  const told = [what, odd.name, status]
  expect([...told, status < 500 && !(odd.refused && status < 300)]).toEqual([...told, true])
  const text = JSON.stringify(body.message ?? '')
  expect([...told, text]).toEqual([
    ...told,
    expect.not.stringMatching(/syntax error|relation "|column "|postgres|\.ts:|at \w+ \(/i),
  ])
  return status < 300
}

describe('every text that a request may hold is taken, or refused with a reason', () => {
  test('in paths and queries', async () => {
    const taken = new Set<string>()
    for (const each of operations()) {
      for (const { name, in: place, schema } of each.operation.parameters) {
        if (place === 'header' || textFields(schema).length === 0) continue
        for (const odd of ODD_TEXTS) {
          const inPath = place === 'path' ? { parameter: name, encoded: odd.encoded } : undefined
          const target = placeIn(each.path, inPath) + (inPath ? '' : `?${name}=${odd.encoded}`)
          const required = requiredBeside(each, inPath ? '' : name)
          const separator = inPath ? '?' : '&'
          const response = await send(each, target + (required && separator + required), bodyOf(each))
          if (check(`${each.name} ${name}`, odd, response)) taken.add(`${each.name} ${name}`)
        }
      }
    }
    // It was not all for other reasons that they were refused.
    expect(taken.size).toBeGreaterThan(15)
  })

  test('in JSON', async () => {
    const taken = new Set<string>()
    for (const each of operations()) {
      const json = each.operation.requestBody?.content['application/json']
      if (!json) continue
      for (const path of textFields(json.schema)) {
        for (const odd of ODD_TEXTS) {
          const body = bodyWith(exampleOf(each, path), path, odd.text)
          const what = `${each.name} ${path.join('.')}`
          if (check(what, odd, await send(each, placeIn(each.path), { body }))) taken.add(what)
        }
      }
    }
    expect(taken.size).toBeGreaterThan(30)
  })

  test('in forms, and in the names of their files', async () => {
    const taken = new Set<string>()
    for (const each of operations()) {
      const form = each.operation.requestBody?.content['multipart/form-data']
      if (!form) continue
      const fields = Object.entries<Json>(form.schema.properties).filter(([, { format }]) => format !== 'binary')
      const content = JSON.stringify({ text: 'The river Leie flows through Ghent.' })
      for (const odd of ODD_TEXTS) {
        for (const [name] of fields) {
          const file = name === 'source_url' ? undefined : { name: 'note.txt', content }
          const what = `${each.name} ${name}`
          if (check(what, odd, await send(each, each.path, formWith({ [name]: odd.text }, file)))) taken.add(what)
        }
        const named = { name: odd.text.replace(/["\\]/g, ''), content }
        // A file's name is only told again, so what cannot be read of it may be replaced.
        const what = `${each.name} filename`
        if (check(what, { ...odd, refused: false }, await send(each, each.path, formWith({}, named)))) taken.add(what)
      }
    }
    expect(taken.size).toBeGreaterThan(3)
  })

  test('in headers', async () => {
    for (const odd of ODD_TEXTS) {
      for (const name of ['idempotency-key', 'x-confirm-password', 'x-request-id']) {
        const sent = account.client.with({ [name]: odd.encoded })
        check(name, { ...odd, refused: false }, await sent.post('/v1/memories', { memory: 'x' }))
      }
    }
  })

  test('when signing in, too', async () => {
    const own = await subjectWith({ ANONYMOUS_RATE_LIMIT: 'off' })
    for (const each of operations(true)) {
      const json = each.operation.requestBody?.content['application/json']
      for (const path of json ? textFields(json.schema) : []) {
        for (const odd of ODD_TEXTS) {
          const body = bodyWith(json.example, path, odd.text)
          check(`${each.name} ${path.join('.')}`, odd, await own.anonymous.request(each.method, each.path, { body }))
        }
      }
    }
  })
})

/** The other parameters that the operation cannot do without. */
function requiredBeside({ operation }: Operation, name: string): string {
  return operation.parameters
    .filter((parameter: Json) => parameter.in === 'query' && parameter.required && parameter.name !== name)
    .map(({ name, schema }: Json) => `${name}=${schema.format === 'uuid' ? NOBODY : 'x'}`)
    .join('&')
}

function bodyOf(each: Operation): RequestOptions {
  const { requestBody } = each.operation
  if (!requestBody) return {}
  if (requestBody.content['application/json']) return { body: exampleOf(each) }
  return formWith({}, { name: 'a.txt', content: '{"text": "A river."}' })
}

/** Names of which a body may have one. */
const ALIASES = [
  ['memory', 'content'],
  ['signal', 'rating'],
]

/** The example of a body, without what would go before the field at hand, or would reach another service. */
function exampleOf({ operation, path }: Operation, field: FieldPath = []): Json {
  const example = structuredClone(operation.requestBody.content['application/json'].example)
  const names = ALIASES.find(names => names.some(name => field.includes(name))) ?? []
  for (const body of [example, example.memories?.[0] ?? {}]) for (const name of names) delete body[name]
  if (path === '/v1/webhooks') Object.assign(example, WEBHOOK, { url: `${WEBHOOK.url}/${crypto.randomUUID()}` })
  if (path.startsWith('/v1/api-keys'))
    Object.assign(example, 'workspace_id' in example && { workspace_id: account.workspaceId })
  return example
}
