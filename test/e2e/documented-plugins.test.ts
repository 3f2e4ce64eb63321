import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refusesHostileAddresses } from '../../core/outgoing/hostile-addresses.conformance.ts'
import { openInternet, PUBLIC } from '../../core/outgoing/internet.test-support.ts'
import { memoryEvents } from '../../plugins/memories/events.ts'
import { ownDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { documentedNames, documentedPlugin, writeDocumented } from '../support/documented.ts'
import { startService, type TestAccount } from '../support/service.ts'
import { ROOT, typeCheck } from '../support/tutorial.ts'
import { until } from '../support/wait.ts'

test('journal.ts notes its own events, sees those of others, and lists what can happen', async () => {
  const service = await startService({}, { thirdParty: [await documentedPlugin('journal.ts')] })
  const { client } = await service.account()
  const latest = async () => (await client.get('/v1/x/journal/latest')).body
  expect((await latest()).labels).toEqual(expect.arrayContaining(['Memory created', 'Note taken']))
  expect((await client.post('/v1/x/journal/notes', { note: 'Bought milk.' })).body).toEqual({ taken: true })
  await until('it sees its own event', async () => (await latest()).latest === 'journal.noted')
  await client.post('/v1/memories', { memory: 'The journal lies on the shelf.' })
  await until('it sees the event of another plugin', async () => (await latest()).latest === 'memory.created')
})

test('library.ts keeps documents, gives them back whole or in part, and counts lines of what it does not keep', async () => {
  const library = await documentedPlugin('library.ts')
  const { client } = await (await startService({}, { thirdParty: [library] })).account()
  const content = `%PDF ${'0123456789'.repeat(60_000)}`
  const upload = (name: string, text: string) => {
    const data = new FormData()
    data.append('file', new Blob([text], { type: 'application/pdf' }), 'x.pdf')
    data.append('name', name)
    return client.request('POST', '/v1/x/library/documents', {
      raw: data,
      headers: { 'idempotency-key': encodeURIComponent(name) },
    })
  }
  const { status, body } = await upload('Äpfel', content)
  expect([status, body.size]).toEqual([201, content.length])
  expect((await upload('Äpfel', content)).body).toEqual(body)
  expect((await upload('other', 'MZ')).body.error_code).toBe('LIBRARY_NOT_PDF')
  const path = `/v1/x/library/documents/${body.id}`
  const whole = await client.get(path)
  expect([whole.status, whole.body === content]).toEqual([200, true])
  expect(whole.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%84pfel.pdf")
  const part = await client.get(path, { headers: { range: 'bytes=262140-262150' } })
  expect([part.status, part.body]).toEqual([206, content.slice(262140, 262151)])
  const etag = whole.headers.get('etag') ?? ''
  expect((await client.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await client.request('HEAD', path)
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])
  const lines = new FormData()
  lines.append('file', new Blob(['a\nb\n']), 'a.txt')
  lines.append('file', new Blob(['c\n']), 'b.txt')
  lines.append('note', 'May')
  expect((await client.request('POST', '/v1/x/library/lines', { raw: lines })).body).toEqual({
    lines: [2, 1],
    note: 'May',
  })
})

test('page-title.ts reads the title of a page, and says why it cannot', async () => {
  const internet = openInternet()
  const thirdParty = [await documentedPlugin('page-title.ts')]
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
  const service = await startService({}, { thirdParty: [await documentedPlugin('page-title.ts')], network })
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
  const service = await startService({}, { thirdParty: [await documentedPlugin('counter.ts')] })
  const { client } = await service.account()
  const texts = Array.from({ length: 50 }, (_, n) => `one two ${n}`)
  for (const text of texts) expect((await client.post('/v1/x/counter/texts', { text })).body).toEqual({ queued: true })
  await until('all are counted', async () => (await client.get('/v1/x/counter/words')).body.words === 150)
  const metrics = (await service.anonymous.get('/metrics')).body
  expect(metrics).toContain('mneme_work_items_total{work="x_counter.text",outcome="finished"} 50')
})

test('guestbook.ts stands in the plans it names, is limited by them, and heeds its setting', async () => {
  const service = await startService({}, { thirdParty: [await documentedPlugin('guestbook.ts')] })
  const [scale, pro] = [await service.account({ plan: 'scale' }), await service.account({ plan: 'pro' })]
  const sign = ({ client }: TestAccount, words: string) => client.post('/v1/x/guestbook/entries', { words })
  expect((await sign(pro, 'Hello.')).body.error_code).toBe('FEATURE_NOT_ENABLED')
  expect(await sign(scale, 'Hello.')).toMatchObject({ status: 201, body: { words: 'Hello.' } })
  const settings = { x_guestbook: { banned: 'spam' } }
  await scale.client.patch(`/v1/workspaces/${scale.workspaceId}`, { settings })
  expect((await sign(scale, 'spam!')).body.error_code).toBe('GUESTBOOK_BANNED')
  const included = await startService(
    { PLAN_FEATURES: 'pro:x_guestbook' },
    { thirdParty: [await documentedPlugin('guestbook.ts')] },
  )
  const account = await included.account({ plan: 'pro' })
  await included.database.workspace(
    account.workspaceId,
    tx => tx`
      insert into x_guestbook.entry (workspace_id, words)
      select ${account.workspaceId}, 'one of many' from generate_series(1, 99)`,
  )
  expect((await sign(account, 'The hundredth.')).status).toBe(201)
  expect((await sign(account, 'One more.')).body.error_code).toBe('QUOTA_EXCEEDED')
})

test('lengths.ts takes part in the processing of memories', async () => {
  // On a database of its own: another service of this file would process the memory without the plugin.
  const url = await ownDatabaseUrl()
  const service = await startService({}, { thirdParty: [await documentedPlugin('lengths.ts')], url })
  const { client, workspaceId } = await service.account()
  const memory = 'Ada keeps bees on the roof.'
  const { body } = await client.post('/v1/memories', { memory })
  const lengths = () =>
    service.database.workspace(
      workspaceId,
      tx => tx`select memory_id, characters from x_lengths.length where workspace_id = ${workspaceId}`,
    )
  const [row] = await until('it is processed', async () => {
    const rows = await lengths()
    return rows.length > 0 ? rows : undefined
  })
  expect(row).toEqual({ memory_id: body.id, characters: memory.length })
})

test('gallery.ts serves its page', async () => {
  const service = await startService({}, { thirdParty: [await documentedPlugin('gallery.ts')] })
  const page = await service.anonymous.get('/x/gallery/of/today', { headers: { accept: 'text/html' } })
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('<title>Gallery</title>')])
})

test('reminders.ts gives agents its tool', async () => {
  const service = await startService({}, { thirdParty: [await documentedPlugin('reminders.ts')] })
  const { client } = await service.account()
  const params = { name: 'set_reminder', arguments: { day: '2026-12-24', about: 'Feed the bees.' } }
  const { body } = await client.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(JSON.parse(body.result.content[0].text)).toEqual({ day: '2026-12-24', note: 'Feed the bees.' })
})

test('every plugin has the types that it needs, without a package.json', async () => {
  const folder = await temporaryFolder()
  const names = await documentedNames()
  for (const name of names) await writeDocumented(name, join(folder, name.replace('.ts', '')))
  const extended = { extends: join(ROOT, 'tsconfig.plugin.json'), include: ['.'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(extended))
  expect(names.toSorted()).toEqual([
    'counter.ts',
    'gallery.ts',
    'guestbook.ts',
    'journal.ts',
    'lengths.ts',
    'library.ts',
    'page-title.ts',
    'reminders.ts',
    'vault.ts',
  ])
  expect(await typeCheck(folder)).toBe('')
})

test('events of memories are all listed with their data', async () => {
  const page = await readFile(join(ROOT, 'docs/plugins/events.md'), 'utf8')
  const rows = page.split('\n').filter(line => /^\| `(memory|user)\./.test(line))
  for (const { kind, schema, public: isPublic } of Object.values(memoryEvents)) {
    const row = rows.find(each => each.includes(`\`${kind}\``)) ?? ''
    const [, , told, data] = row.split('|').map(cell => cell.trim())
    const names = [...(data ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect([kind, told, names]).toEqual([kind, isPublic ? 'yes' : 'no', Object.keys(schema?.properties ?? {})])
  }
  expect(rows.join('').match(/`(memory|user)\./g)).toHaveLength(Object.keys(memoryEvents).length)
})
