import { expect, test } from 'bun:test'
import { openPage, signIn } from '../support/browser.ts'
import { onEnd } from '../support/closing.ts'
import { serveHttp } from '../support/http-server.ts'
import { emptyStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

test('an alert leads to its cause, which is mended: a receiver that refuses what a webhook sends', async () => {
  let status = 500
  const receiver = await serveHttp(() => new Response(status === 200 ? 'taken' : 'no such route', { status }))
  onEnd(async () => receiver.close())
  const server = await startServer({ ...(await emptyStore()), ALLOW_PRIVATE_NETWORKS: 'true' })
  const client = server.client()
  const url = `${receiver.origin}/hooks`
  expect((await client.post('/v1/webhooks', { url, events: ['memory.created'] })).status).toBe(201)
  const memories = Array.from({ length: 12 }, (_, n) => ({ memory: `Ada reads book ${n}` }))
  expect((await client.post('/v1/memories/batch', { memories })).status).toBe(207)

  const { page, faults } = await openPage(server.url)
  await page.goto('/console/')
  await signIn(page, server.email, server.password)
  await page.getByRole('navigation', { name: 'Console' }).waitFor()
  const alert = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem').filter({ hasText: 'webhook' })
  await until('the alert is raised', async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Memories created', exact: true }).waitFor()
    return (await alert.count()) === 1
  })
  await alert.getByRole('link', { name: 'See the webhooks' }).click()

  const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: url })
  await row.getByText('failing', { exact: true }).waitFor()
  await row.getByText(/12 retrying/).waitFor()
  await row.getByRole('link', { name: url }).click()

  await page.getByText('Nothing has arrived since').waitFor()
  const deliveries = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
  const first = deliveries.first()
  await first.getByText('retrying', { exact: true }).waitFor()
  await first.getByText('Status 500').waitFor()
  await first.locator('summary').click()
  await first.getByText('no such route').waitFor()
  await first.getByText(`POST ${url}`).waitFor()

  status = 200
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The receiver answered with 200.').waitFor()
  await page.getByText('Nothing has arrived since').waitFor({ state: 'detached' })
  const retrying = deliveries.filter({ hasText: 'retrying' })
  const before = await retrying.count()
  expect(before).toBeGreaterThan(0)
  await retrying
    .first()
    .getByRole('button', { name: /^Send now/ })
    .click()
  await until('one more is delivered', async () => (await retrying.count()) < before)
  await page.getByLabel('Status').selectOption('SUCCEEDED')
  await deliveries.first().getByText('delivered', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'All webhooks' }).click()
  await row.getByText('working', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('what was given up is told as missed, and sent again from where it is told', async () => {
  const server = await startServer(await emptyStore())
  const { page, faults } = await openPage(server.url)
  const { body } = await server.client().post('/v1/webhooks', { url: 'https://example.com/hooks', events: ['*'] })
  // Deliveries are given up after a day.
  await page.route('**/deliveries?*status=FAILED*', route =>
    route.fulfill({ json: { data: [], total: 3, page: 1, page_size: 1 } }),
  )
  const asked = page.waitForRequest(request => request.url().includes('/redeliver'))
  await page.goto(`/console/webhooks/${body.id}`)
  await signIn(page, server.email, server.password)
  await page.getByText(/^3 events were missed/).waitFor()
  await page.getByRole('button', { name: 'Send all missed again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  const { since } = (await asked).postDataJSON()
  expect(Date.now() - Date.parse(since)).toBeGreaterThan(29 * 86_400_000)
  await page.getByText('The failed deliveries are being queued again.').waitFor()
  expect(faults).toEqual([])
})
