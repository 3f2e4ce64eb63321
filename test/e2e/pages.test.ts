import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request as send } from 'node:http'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { preparedStore, type ServerProcess, startServer } from '../support/process.ts'

/** Serves the page of a third party's plugin, over HTTP as a client on the network sends it. */

const HASHED = 'app.3f9a1c2e.js'
let server: ServerProcess

const PLUGIN = `import { consolePages, definePlugin, extend, ok, routesOf, Type, visibleConsolePages } from 'mneme/plugin'

const menu = routesOf()({
  method: 'GET',
  path: '/v1/x/gallery/menu',
  access: 'anyKey',
  summary: 'What the menu shows',
  responses: { 200: Type.Array(Type.Unknown()) },
  handle: ({ caller, tenant, scope }) => ok(visibleConsolePages(scope, caller, tenant.workspace)),
})

export default definePlugin({
  id: 'gallery',
  version: '1.0.0',
  apiVersion: 1,
  routes: [menu],
  pages: [{ path: '/x/gallery', folder: new URL('./public/', import.meta.url), fallback: 'index.html' }],
  setup: ({ wiring }) => ({
    scope: wiring,
    extensions: [extend(consolePages, { id: 'gallery', title: 'Gallery', path: '/x/gallery/', icon: 'image', order: 50 })],
  }),
})
`

beforeAll(async () => {
  const folder = await temporaryFolder()
  const place = join(folder, 'public')
  await mkdir(join(place, 'deep'), { recursive: true })
  await Promise.all([
    writeFile(join(folder, 'index.mjs'), PLUGIN),
    writeFile(join(folder, 'secret.txt'), 'secret'),
    writeFile(join(place, 'index.html'), '<!doctype html><title>Gallery</title>'),
    writeFile(join(place, HASHED), 'start()'),
    writeFile(join(place, 'a b.css'), 'p{}'),
    writeFile(join(place, '.env'), 'secret'),
    writeFile(join(place, 'deep/index.html'), 'deep'),
    symlink('../secret.txt', join(place, 'way-out.txt')),
    symlink('..', join(place, 'up')),
    symlink('a b.css', join(place, 'inside.css')),
  ])
  server = await startServer({ ...(await preparedStore()), PLUGINS: join(folder, 'index.mjs') })
})

afterAll(() => server?.stop())

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends the path as it is, which `fetch` would put in order. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, path, headers, method, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() })
      })
    })
    request.on('error', reject)
    request.end()
  })
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const STRICT = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

describe('a page', () => {
  test('is served with its type, a version and strict headers', async () => {
    const page = await get('/x/gallery/')
    const { etag = '' } = page.headers
    expect([page.status, page.text]).toEqual([200, '<!doctype html><title>Gallery</title>'])
    expect(etag).toMatch(/^"[\w-]{32}"$/)
    expect(page.headers).toMatchObject({
      ...STRICT,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    const again = await get('/x/gallery/', { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect(again.headers).toMatchObject(STRICT)
  })

  test('keeps files whose names hold a hash for a year', async () => {
    const { status, headers, text } = await get(`/x/gallery/${HASHED}`)
    expect([status, text]).toEqual([200, 'start()'])
    expect(headers).toMatchObject({
      ...STRICT,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test('finds folders, decoded names and links that stay inside', async () => {
    expect((await get('/x/gallery/deep/')).text).toBe('deep')
    expect((await get('/x/gallery/a%20b.css')).headers['content-type']).toBe('text/css; charset=utf-8')
    expect((await get('/x/gallery/inside.css')).text).toBe('p{}')
    const root = await get('/x/gallery?tab=1')
    expect([root.status, root.headers.location]).toEqual([308, '/x/gallery/?tab=1'])
    expect(root.headers).toMatchObject(STRICT)
  })

  test('gives parts, and the head alone', async () => {
    const part = await get(`/x/gallery/${HASHED}`, { range: 'bytes=0-4' })
    expect([part.status, part.text]).toEqual([206, 'start'])
    const head = await get(`/x/gallery/${HASHED}`, {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '7'])
  })

  test('answers for addresses of its own making, where a browser navigates', async () => {
    for (const path of ['pictures/7', 'pictures/', 'deep/er']) {
      const { status, text, headers } = await get(`/x/gallery/${path}`, BROWSER)
      expect([path, status, text, headers.vary]).toEqual([path, 200, '<!doctype html><title>Gallery</title>', 'Accept'])
    }
    expect((await get('/x/gallery/pictures/7', BROWSER, 'HEAD')).status).toBe(200)
    for (const [path, headers] of [
      ['pictures/7', {}],
      ['pictures/7', { accept: '*/*' }],
      ['pictures/7', { accept: 'text/html;q=0, application/json' }],
      ['missing.js', BROWSER],
    ] as const) {
      const missing = await get(`/x/gallery/${path}`, headers)
      expect([path, missing.status, JSON.parse(missing.text).error_code]).toEqual([path, 404, 'NOT_FOUND'])
      expect(missing.headers).toMatchObject({ ...STRICT, 'content-type': 'application/json' })
    }
  })

  test('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers, text } = await get('/x/gallery/index.html', {}, method)
      expect([method, status, headers.allow, JSON.parse(text).error_code]).toEqual([
        method,
        405,
        'GET, HEAD',
        'METHOD_NOT_ALLOWED',
      ])
      expect(headers).toMatchObject(STRICT)
    }
  })

  test.each([
    '../secret.txt',
    'deep/../../secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%2e%2e%2fsecret.txt',
    '%252e%252e%252fsecret.txt',
    '..%5csecret.txt',
    '..\\secret.txt',
    '%5c..%5csecret.txt',
    'index.html%00',
    '..%00/secret.txt',
    '%c0%ae%c0%ae/secret.txt',
    'way-out.txt',
    'up/secret.txt',
    '.env',
    '%2eenv',
    '/etc/passwd',
    '%2fetc%2fpasswd',
  ])('does not lead out of its folder by %s', async path => {
    const { status, text, headers } = await get(`/x/gallery/${path}`, BROWSER)
    expect([status === 404 || status === 400, headers['content-type']]).toEqual([true, 'application/json'])
    expect(text).not.toMatch(/secret|root:/)
  })

  test('stands in the menu and not in the reference', async () => {
    const { body } = await server.client().get('/v1/x/gallery/menu')
    expect(body).toContainEqual({
      plugin: 'gallery',
      id: 'gallery',
      title: 'Gallery',
      path: '/x/gallery/',
      icon: 'image',
      order: 50,
    })
    const reference = JSON.parse((await get('/openapi.json')).text)
    expect(Object.keys(reference.paths).filter(path => path.startsWith('/x/'))).toEqual([])
  })
})
