import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'

const USER = 'u'.repeat(200)
const FILE = `${'report'.repeat(30)}.pdf`

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  const { status } = await browser.server.client().post('/v1/memories', { memory: 'Ada likes tea', user_id: USER })
  expect(status).toBe(201)
})

test.each([1280, 360])('a long id of a user makes no page wider than a window of %i pixels', async width => {
  const { page } = browser
  await page.setViewportSize({ width, height: 800 })
  for (const path of ['graph', 'knowledge']) {
    await page.goto(`/console/${path}?user_id=${USER}`)
    const choice = page.getByRole('main').locator('select[name=user]')
    await choice.waitFor()
    const beyond = await choice.evaluate(chosen => chosen.getBoundingClientRect().right - innerWidth)
    expect(beyond).toBeLessThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('a long name of a file leaves the status of all documents in sight', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 800 })
  const job = {
    id: '01985b3c-0000-7000-8000-000000000005',
    format: 'PDF',
    status: 'FAILED',
    user_id: 'ada',
    categories: [],
    progress: { chunks_total: null, chunks_done: 0 },
    file_name: FILE,
    error: 'The PDF is damaged and could not be opened.',
    warnings: [],
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }
  await page.route('**/v1/ingest-jobs?**', route =>
    route.fulfill({ json: { data: [job], total: 1, page: 1, page_size: 20 } }),
  )
  await page.goto('/console/imports')
  const table = page.getByRole('table', { name: 'Documents' })
  await table.getByText(FILE).waitFor()
  const beyond = await table.evaluate(
    ({ parentElement, scrollWidth }) => scrollWidth - (parentElement?.clientWidth ?? 0),
  )
  expect(beyond).toBeLessThanOrEqual(0)
})
