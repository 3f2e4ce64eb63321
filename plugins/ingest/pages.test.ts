import { afterEach, describe, expect, test } from 'bun:test'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { refusesHostileAddresses } from '../../core/outgoing/hostile-addresses.conformance.ts'
import { type Internet, openInternet, PUBLIC, PUBLIC_TOO } from '../../core/outgoing/internet.test-support.ts'
import { emptyDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { ended, hand, ingest, JOBS, memoriesOf } from './world.test-support.ts'

const internet = openInternet()
const ready = (async () => {
  // On a database of its own, so that no other service's workers request its addresses.
  const service = await startService({}, { url: await emptyDatabaseUrl(), network: internet.network })
  return service.account()
})()

afterEach(() => internet.reset())

const article = (words: string) =>
  `<html><head><title>News of the day</title></head><body><nav><a href="/">Home</a> Imprint</nav><article><h1>News</h1><p>${words}</p></article><footer>All rights reserved</footer></body></html>`
const story = 'The harbour of Ghent was opened by the mayor, who spoke for a long time about ships and trade. '.repeat(
  8,
)

async function page(answer: RequestListener, path = '/page') {
  await internet.serve(PUBLIC, answer)
  const { client } = await ready
  return ingest(client, { format: 'URL', source_url: `http://${PUBLIC}${path}` })
}

const sends =
  (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

describe('a page', () => {
  test('becomes memories of its article, which name its address and title', async () => {
    const { client } = await ready
    const job = await page(sends(article(story), { 'content-type': 'text/html; charset=utf-8' }))
    expect(job).toMatchObject({ status: 'COMPLETED', format: 'URL', title: 'News of the day' })
    const memories = await memoriesOf(client, job.id)
    expect(memories[0].memory).toContain('harbour of Ghent')
    expect(memories[0].metadata).toMatchObject({ source_url: `http://${PUBLIC}/page`, title: 'News of the day' })
    expect(memories.map(({ memory }) => memory).join(' ')).not.toMatch(/Imprint|rights reserved/)
  })

  test('is read as what its bytes are, in the encoding that it is in', async () => {
    const { client } = await ready
    const texts = async (job: { id: string }) => (await memoriesOf(client, job.id)).map(({ memory }) => memory)
    const latin = Uint8Array.from(
      [...'<p>Ein Stra\u00dfenbahnfahrplan f\u00fcr M\u00fcnchen</p>'].map(c => c.charCodeAt(0)),
    )
    const german = await page(sends(latin, { 'content-type': 'text/html; charset=iso-8859-1' }))
    expect(await texts(german)).toEqual(['Ein Straßenbahnfahrplan für München'])
    await internet.reset()
    const json = await page(sends('{"city": "Ghent", "river": "Leie"}', { 'content-type': 'text/html' }))
    expect(await texts(json)).toEqual(['city: Ghent\nriver: Leie'])
    await internet.reset()
    const zipped = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
    expect(await texts(await page(sends(gzipSync('Zipped text of a page.'), zipped)))).toEqual([
      'Zipped text of a page.',
    ])
  })

  test('that leads on by itself is the page that it leads to, whose address is looked at too', async () => {
    const { client } = await ready
    const leads = (to: string) => `<meta http-equiv="refresh" content="0; url=${to}"><p>Click here.</p>`
    const html = { 'content-type': 'text/html' }
    const answers: RequestListener = (request, response) =>
      void response.writeHead(200, html).end(request.url === '/new' ? '<p>Here it is.</p>' : leads('/new'))
    const job = await page(answers)
    expect((await memoriesOf(client, job.id)).map(({ memory }) => memory)).toEqual(['Here it is.'])
    await internet.reset()
    const forbidden = await page(sends(leads('http://169.254.169.254/'), html))
    expect(forbidden).toMatchObject({ status: 'FAILED', error_code: 'ADDRESS_REFUSED' })
    await internet.reset()
    const circle: RequestListener = (request, response) =>
      void response.writeHead(200, html).end(leads(request.url === '/page' ? '/other' : '/page'))
    expect((await page(circle)).status).toBe('COMPLETED')
  })

  test('that cannot be had ends its job with a code and a sentence', async () => {
    const code = async (answer: RequestListener, path?: string) => {
      await internet.reset()
      const { status, error_code, error } = await page(answer, path)
      expect([status, typeof error]).toEqual(['FAILED', 'string'])
      return error_code
    }
    expect(await code(sends('', {}, 404))).toBe('PAGE_NOT_FOUND')
    expect(await code(sends('', {}, 403))).toBe('PAGE_FORBIDDEN')
    expect(await code(sends(Buffer.alloc(11 * 1024 * 1024, 'a')))).toBe('PAGE_TOO_LARGE')
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    expect(await code(sends(bomb, { 'content-encoding': 'gzip' }))).toBe('PAGE_TOO_LARGE')
    expect(await code(sends(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3)))).toBe('UNSUPPORTED_CONTENT')
    expect(await code((request, response) => void response.writeHead(302, { location: request.url }).end())).toBe(
      'TOO_MANY_REDIRECTS',
    )
    expect(await code(sends('', { location: 'http://169.254.169.254/' }, 302))).toBe('ADDRESS_REFUSED')
    expect(await code(sends(''))).toBe('EMPTY_FILE')
    await internet.reset()
    const script =
      '<html><body><div id="root"></div><noscript>Enable JavaScript.</noscript><script src="/a.js"></script>'
    expect((await page(sends(script, { 'content-type': 'text/html' }))).error).toMatch(/^The page .*JavaScript/)
  })
})

test('a host that does not answer holds up no other document or page, and its page can be cancelled', async () => {
  const { client } = await ready
  const hangs = Promise.withResolvers<void>()
  await internet.serve(PUBLIC, () => hangs.resolve())
  await internet.serve(PUBLIC_TOO, sends('A page of another host.', { 'content-type': 'text/plain' }))
  const { body: hanging } = await hand(client, { source_url: `http://${PUBLIC}/page` })
  await hangs.promise
  const text = await ingest(client, {}, { name: 'gate.txt', content: 'The gate is open.' })
  const page = await ingest(client, { source_url: `http://${PUBLIC_TOO}/page` })
  expect([text.status, page.status]).toEqual(['COMPLETED', 'COMPLETED'])
  expect((await client.get(`${JOBS}/${hanging.id}`)).body.status).toBe('PROCESSING')
  expect((await client.post(`${JOBS}/${hanging.id}/cancel`)).status).toBe(202)
  expect(await ended(client, hanging.id)).toMatchObject({ status: 'FAILED', error_code: 'CANCELLED' })
})

refusesHostileAddresses('a page to ingest', true, async (own: Internet) => {
  const service = await startService({}, { url: await emptyDatabaseUrl(), network: own.network })
  const { client } = await service.account()
  return {
    async request(url) {
      const answer = await hand(client, { source_url: url })
      if (answer.status === 400) return 'refused'
      const job = await ended(client, answer.body.id)
      return ['ADDRESS_REFUSED', 'INVALID_URL'].includes(job.error_code) ? 'refused' : 'sent'
    },
  }
})
