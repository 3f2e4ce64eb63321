import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
})

test('a file that is refused says why in words, and is sent again with the same fields', async () => {
  const { page, server, faults } = browser
  await page.goto('/console/imports')
  await page.getByLabel('Drop files here, or choose them').setInputFiles([
    { name: 'tea.md', mimeType: 'text/markdown', buffer: Buffer.from('# Tea\n\nAda drinks green tea.') },
    { name: 'old.doc', mimeType: 'application/msword', buffer: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
  ])
  await page.getByLabel('User').first().fill('ada')
  await page.getByLabel('Categories').first().fill('drinks')
  await page.getByRole('button', { name: 'Add 2 files' }).click()
  const added = page.getByRole('list', { name: 'What was added' })
  const refused = added.getByRole('listitem').filter({ hasText: 'old.doc' })
  await refused.getByRole('alert').waitFor()
  expect(await refused.getByRole('alert').textContent()).not.toContain('UNSUPPORTED_FORMAT')
  await added.getByRole('link', { name: /tea/i }).waitFor()
  // The service takes it now.
  const job = (await server.client().get('/v1/ingest-jobs')).body.data[0]
  let sent = ''
  await page.route('**/v1/memories/ingest?*', async route => {
    sent = route.request().postDataBuffer()?.toString('latin1') ?? ''
    await route.fulfill({ status: 202, json: { ...job, file_name: 'old.doc', title: null, document_name: null } })
  })
  await refused.getByRole('button', { name: 'Send old.doc again' }).click()
  await added.getByRole('link', { name: 'old.doc' }).waitFor()
  expect([/name="user_id"\r\n\r\nada/.test(sent), /name="categories"\r\n\r\ndrinks/.test(sent)]).toEqual([true, true])
  await page.unroute('**/v1/memories/ingest?*')

  await added.getByRole('link', { name: /tea/i }).click()
  await page.getByText('All memories of the document can be searched.').waitFor()
  const memories = page.getByRole('table', { name: 'Memories' })
  await memories.getByText(/green tea/).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete with memories' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete with memories' }).click()
  await page.getByRole('heading', { level: 1, name: 'Files and pages' }).waitFor()
  expect((await server.client().get('/v1/memories')).body.total).toBe(0)
  expect(faults).toEqual([])
})
