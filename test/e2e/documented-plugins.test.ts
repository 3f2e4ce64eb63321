import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusesHostileAddresses } from '../../core/outgoing/hostile-addresses.conformance.ts'
import { openInternet, PUBLIC } from '../../core/outgoing/internet.test-support.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { onEnd } from '../support/closing.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** A plugin of docs/plugins.md as it stands there, by the names of its file and its migrations. */
async function documented(name: string, migrations: readonly string[] = []): Promise<AnyPlugin> {
  const page = await readFile(new URL('../../docs/plugins.md', import.meta.url), 'utf8')
  const source = [...page.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .find(code => code.startsWith(`// ${name},`))
  if (!source) throw new Error(`docs/plugins.md has no ${name}`)
  // Beside the code, since that is where `mneme/…` leads to the code.
  const tmp = fileURLToPath(new URL('../../tmp/', import.meta.url))
  await mkdir(tmp, { recursive: true })
  const folder = await mkdtemp(join(tmp, 'documented-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, name), source)
  for (const sql of migrations) {
    const text = [...page.matchAll(/```sql\n([\s\S]*?)```/g)]
      .map(([, code = '']) => code)
      .find(code => code.startsWith(`-- ${sql}:`))
    if (!text) throw new Error(`docs/plugins.md has no ${sql}`)
    await mkdir(join(folder, 'sql'), { recursive: true })
    await writeFile(join(folder, 'sql', sql), text)
  }
  return (await import(join(folder, name))).default
}

test('journal.ts notes its own events, sees those of others, and lists what can happen', async () => {
  const service = await startService({}, { thirdParty: [await documented('journal.ts')] })
  const { client } = await service.account()
  const latest = async () => (await client.get('/v1/x/journal/latest')).body
  expect((await latest()).labels).toEqual(expect.arrayContaining(['Memory created', 'Note taken']))
  expect((await client.post('/v1/x/journal/notes', { note: 'Bought milk.' })).body).toEqual({ taken: true })
  await until('it sees its own event', async () => (await latest()).latest === 'journal.noted')
  await client.post('/v1/memories', { memory: 'The journal lies on the shelf.' })
  await until('it sees the event of another plugin', async () => (await latest()).latest === 'memory.created')
})

test('page-title.ts reads the title of a page, and says why it cannot', async () => {
  const internet = openInternet()
  const thirdParty = [await documented('page-title.ts')]
  const service = await startService({}, { thirdParty, network: internet.network })
  const { client } = await service.account()
  await internet.serve(PUBLIC, (_, response) => response.end('<html><title>Of tops</title></html>'))
  internet.names.set('page.test', [PUBLIC]).set('inner.test', ['10.0.0.1'])
  const read = (url: string) => client.post('/v1/x/pagetitle/titles', { url })
  expect(await read('http://page.test/')).toMatchObject({ status: 200, body: { title: 'Of tops' } })
  expect(await read('http://inner.test/')).toMatchObject({
    status: 422,
    body: { error_code: 'PAGETITLE_UNREACHABLE', message: 'inner.test does not lead to a public address.' },
  })
  const metrics = (await service.anonymous.get('/metrics')).body
  expect(metrics).toContain('mneme_outgoing_requests_total{outcome="2xx"} 1')
  expect(metrics).toContain('mneme_outgoing_requests_total{outcome="ADDRESS_REFUSED"} 1')
  await internet.reset()
})

refusesHostileAddresses('page-title.ts', true, async ({ network }) => {
  const service = await startService({}, { thirdParty: [await documented('page-title.ts')], network })
  const { client } = await service.account()
  return {
    async request(url) {
      const { status, body } = await client.post('/v1/x/pagetitle/titles', { url })
      if (status === 200) return 'sent'
      return /public address|URL/.test(body.message) ? 'refused' : 'sent'
    },
  }
})

test('counter.ts counts words in jobs, of what is queued while it counts too', async () => {
  const service = await startService({}, { thirdParty: [await documented('counter.ts', ['0001_create_text.sql'])] })
  const { client } = await service.account()
  const texts = Array.from({ length: 50 }, (_, n) => `one two ${n}`)
  for (const text of texts) expect((await client.post('/v1/x/counter/texts', { text })).body).toEqual({ queued: true })
  await until('all are counted', async () => (await client.get('/v1/x/counter/words')).body.words === 150)
  const metrics = (await service.anonymous.get('/metrics')).body
  expect(metrics).toContain('mneme_work_items_total{work="x_counter.text",outcome="finished"} 50')
})
