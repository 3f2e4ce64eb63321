import { beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { onEnd } from '../../test/support/closing.ts'
import { temporaryFolder } from '../../test/support/database.ts'
import { serveHttp } from '../../test/support/http-server.ts'
import { denoPath, preparedStore, type ServerProcess, startServer } from '../../test/support/process.ts'
import {
  ForbiddenError,
  InternalError,
  Mneme,
  QuotaExceededError,
  TimedOutError,
  UnauthorizedError,
  UnreachableError,
  verifyWebhook,
  WorkspaceNotFoundError,
} from './src/index.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** The whole package, as it is sent to a browser. */
const BYTES_MAX = 15_000

let server: ServerProcess
let folder: string

beforeAll(async () => {
  server = await startServer({ ...(await preparedStore()), ALLOW_PRIVATE_NETWORKS: 'true' })
  folder = await temporaryFolder()
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: HERE })
  const [tarball = ''] = readdirSync(folder)
  mkdirSync(join(folder, 'node_modules/@mneme'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball], { cwd: folder })
  cpSync(join(folder, 'package'), join(folder, 'node_modules/@mneme/client'), { recursive: true })
  // Deno reads here what may be imported; an installation writes it.
  writeFileSync(join(folder, 'package.json'), '{"dependencies": {"@mneme/client": "*"}}')
  cpSync(join(HERE, 'fixtures/trial.mjs'), join(folder, 'trial.mjs'))
})

const client = (options: ConstructorParameters<typeof Mneme>[0] = {}) =>
  new Mneme({ url: server.url, key: server.apiKey, ...options })

describe('the packed client', () => {
  const runtimes = {
    node: ['node'],
    bun: [process.execPath],
    deno: [denoPath(), 'run', '--allow-net', '--allow-env', '--no-lock'],
  }
  for (const [name, [command = '', ...flags]] of Object.entries(runtimes)) {
    test(`stores, finds, lists, ingests, exports and tells faults apart on ${name}`, () => {
      const output = execFileSync(command, [...flags, join(folder, 'trial.mjs'), name], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, MNEME_URL: server.url, MNEME_API_KEY: server.apiKey },
      })
      const city = (n: number) => `user-of-${name} has visited city number ${n}.`
      expect(JSON.parse(output)).toEqual({
        remembersAgain: 'known',
        duplicate: true,
        completed: 'COMPLETED',
        batch: [201, 201, 201, 201, 201],
        recalls: true,
        finds: [true, 2, 'string'],
        pages: expect.arrayContaining([1, 2, 3, 4, 5].map(city)),
        updated: true,
        history: expect.arrayContaining(['CREATED', 'UPDATED']),
        ingested: ['COMPLETED', 1, ['tea', 'taste']],
        conversation: 'COMPLETED',
        refused: [true, 'FAILED'],
        asks: true,
        knowledge: 'string',
        profile: 'object',
        exported: true,
        imported: 'COMPLETED',
        deleted: 'nothing',
        missing: [true, 'MEMORY_NOT_FOUND', 404],
        workspaces: 1,
      })
    })
  }

  test('has compiled modules, their types and nothing else, at most 15 KB compressed', () => {
    const dist = join(folder, 'node_modules/@mneme/client/dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(path => path.includes('.'))
    expect(files).toContain('index.d.ts')
    expect(files.filter(path => !/\.(js|d\.ts)$/.test(path))).toEqual([])
    const code = files.filter(path => path.endsWith('.js')).map(path => readFileSync(join(dist, path), 'utf8'))
    expect(gzipSync(code.join('\n')).length).toBeLessThan(BYTES_MAX)
    const manifest = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'))
    expect([manifest.dependencies, manifest.peerDependencies, manifest.private]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a request that fails', () => {
  test('is repeated with its Idempotency-Key where the response was lost, and carried out once', async () => {
    const keys: (string | null)[] = []
    const losing: typeof fetch = Object.assign(
      async (url: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(url, init)
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        if (keys.length === 1) throw new TypeError('the connection broke')
        return response
      },
      { preconnect: fetch.preconnect },
    )
    const stored = await client({ fetch: losing }).add({ memory: 'A response that was lost.', user_id: 'lost' })
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    const listed = await client().list({ user_id: 'lost' })
    expect(listed.data.map(({ id }) => id)).toEqual([stored.id])
  })

  test('waits as long as Retry-After says, and tells what the last response said', async () => {
    const { faulty, times } = await faultyService([
      [503, { 'retry-after': '1' }, 'SERVICE_UNAVAILABLE'],
      [500, { 'x-request-id': 'abc' }, 'INTERNAL_ERROR'],
    ])
    const error = await faulty.get('some').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InternalError)
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500, requestId: 'abc', message: 'as it was told' })
    // A fault of the service is tried once more only when it came first.
    expect(times).toHaveLength(2)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('is not repeated where a repetition changes nothing', async () => {
    const { faulty, times } = await faultyService([
      [429, { 'retry-after': '5' }, 'QUOTA_EXCEEDED'],
      [403, {}, 'FORBIDDEN'],
      [302, { location: 'http://127.0.0.1:9/' }, ''],
    ])
    expect(await faulty.get('some').catch((error: unknown) => error)).toBeInstanceOf(QuotaExceededError)
    expect(await faulty.get('some').catch((error: unknown) => error)).toBeInstanceOf(ForbiddenError)
    expect(await faulty.get('some').catch((error: unknown) => error)).toMatchObject({ code: 'REDIRECTED' })
    expect(times).toHaveLength(3)
    const unknown = client({ key: 'mn_live_nobody' })
    expect(await unknown.get('some').catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError)
  })

  test('ends by its time limit, by the caller, and where nobody is there', async () => {
    const silent = await serveHttp(() => new Promise(() => undefined))
    onEnd(async () => silent.close())
    const patient = new Mneme({ url: silent.origin, key: 'k', retries: 1 })
    expect(await patient.get('some', { timeoutMs: 20 }).catch((error: unknown) => error)).toBeInstanceOf(TimedOutError)
    const stop = new AbortController()
    const stopped = patient.get('some', { signal: stop.signal }).catch((error: unknown) => error)
    stop.abort(new Error('enough'))
    expect(await stopped).toMatchObject({ message: 'enough' })
    const nobody = new Mneme({ url: 'http://127.0.0.1:9', key: 'k', retries: 0 })
    expect(await nobody.get('some').catch((error: unknown) => error)).toBeInstanceOf(UnreachableError)
  })
})

test('a workspace of the client goes with what takes one, and with nothing else', async () => {
  const second = await client().workspaces.list({ page_size: 1 })
  const own = client({ workspace: second.data[0]?.id })
  expect((await own.add({ memory: 'In a named workspace.' })).workspace_id).toBe(String(second.data[0]?.id))
  expect((await own.server.health()).status).toBe('ok')
  const strange = client({ workspace: '00000000-0000-4000-8000-000000000000' })
  expect(await strange.list().then(undefined, (error: unknown) => error)).toBeInstanceOf(WorkspaceNotFoundError)
})

describe('deliveries of webhooks', () => {
  test('that the server signs are read, and changed ones are refused', async () => {
    let delivery: { body: string; headers: Headers } | undefined
    const receiver = await serveHttp(async request => {
      delivery = { body: await request.text(), headers: request.headers }
      return new Response(null, { status: 204 })
    })
    onEnd(async () => receiver.close())
    const { webhooks } = client()
    const { id, secret } = await webhooks.create({ url: receiver.origin, events: ['*'] })
    expect((await webhooks.test(id)).status).toBe('SUCCEEDED')
    const { body = '', headers = new Headers() } = delivery ?? {}
    expect((await verifyWebhook(body, headers, secret)).event).toBe('webhook.test')
    expect((await verifyWebhook(body, Object.fromEntries(headers), secret)).event).toBe('webhook.test')
    const refusal = { code: 'NOT_SIGNED' }
    expect(await verifyWebhook(`${body} `, headers, secret).catch((error: unknown) => error)).toMatchObject(refusal)
    const unsigned = new Headers({ 'webhook-signature': 'v1,!' })
    expect(await verifyWebhook(body, unsigned, secret).catch((error: unknown) => error)).toMatchObject(refusal)
  })

  test('of long ago are refused', async () => {
    const secret = `whsec_${btoa('a secret of a webhook')}`
    const sent = new Date(Date.now() - 600_000)
    const headers = {
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('one', sent, '{}'),
    }
    expect(await verifyWebhook('{}', headers, secret).catch((error: unknown) => error)).toMatchObject({
      message: expect.stringContaining('another time'),
    })
  })
})

/** A service that gives these responses one after the other. */
async function faultyService(responses: [number, Record<string, string>, string][]) {
  const times: number[] = []
  const { origin, close } = await serveHttp(() => {
    times.push(performance.now())
    const [status, headers, error_code] = responses[times.length - 1] ?? [418, {}, 'NO_MORE']
    return new Response(JSON.stringify({ error_code, message: 'as it was told' }), { status, headers })
  })
  onEnd(async () => close())
  return { faulty: new Mneme({ url: origin, key: 'k' }), times }
}
