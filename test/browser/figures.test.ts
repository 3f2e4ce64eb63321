import { afterEach, beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  const { status } = await browser.server.client().post('/v1/memories', { memory: 'Ada likes tea', user_id: 'ada' })
  expect(status).toBe(201)
})

afterEach(async () => {
  await browser.page.unrouteAll({ behavior: 'wait' })
})

const SUMMARY = '**/v1/dashboard/summary**'
const BUSY = {
  status: 503,
  headers: { 'retry-after': '1' },
  json: { status_code: 503, error: 'Service Unavailable', message: 'Busy.', error_code: 'SERVICE_UNAVAILABLE' },
}
const figures = () => browser.page.getByRole('heading', { name: 'Memories created', exact: true })
const fault = () => browser.page.getByRole('alert')

test('a figure that a busy service refuses is asked for again, without a word about it', async () => {
  const { page } = browser
  let asked = 0
  await page.route(SUMMARY, route => (++asked === 1 ? route.fulfill(BUSY) : route.continue()))
  await page.goto('/console/')
  await figures().or(fault()).first().waitFor()
  expect({ faults: await fault().count(), asked }).toEqual({ faults: 0, asked: 2 })
})

test('a service that stays busy is told of, after it was asked three times', async () => {
  const { page } = browser
  let asked = 0
  await page.route(SUMMARY, route => {
    asked++
    return route.fulfill(BUSY)
  })
  await page.goto('/console/')
  await fault().waitFor()
  expect({ told: await fault().textContent(), asked }).toEqual({ told: 'Busy.', asked: 3 })
})

test('what waits and what failed in the background is read whole on a screen of 1280 pixels', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 800 })
  const nothing = { waiting: 0, failed: 0, oldest_at: null }
  const kinds = ['memories', 'conversations', 'graph', 'knowledge', 'deliveries', 'exports']
  const imports = { waiting: 123_456, failed: 7890, oldest_at: new Date(Date.now() - 86_400_000).toISOString() }
  await page.route('**/v1/dashboard/backlog**', route =>
    route.fulfill({ json: { ...Object.fromEntries(kinds.map(kind => [kind, nothing])), imports } }),
  )
  await page.goto('/console/')
  const table = page.getByRole('table', { name: 'Work in the background' })
  await table.waitFor()
  expect(await table.textContent()).toContain('123,456')
  expect(await table.getByRole('link', { name: '7,890' }).getAttribute('href')).toContain('/imports')
  expect(await table.getByRole('row').count()).toBe(2)
  const beyond = await table.evaluate(
    ({ parentElement, scrollWidth }) => scrollWidth - (parentElement?.clientWidth ?? 0),
  )
  expect(beyond).toBeLessThanOrEqual(0)
})

test('one search, and one signal of feedback, are told in the singular', async () => {
  const { page } = browser
  const figures = { total_searches: 2, avg_search_score: 0.5, zero_result_rate: 0.5 }
  const change = async (address: string, given: object) =>
    page.route(address, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...given } })
    })
  await change('**/v1/dashboard/quality**', figures)
  await change('**/v1/search/balance**', { fitted_at: new Date().toISOString(), signals: 1, effect: null })
  await page.goto('/console/searches')
  const share = page.getByText(/^1 search(es)?\.$/)
  await share.waitFor()
  expect(await share.textContent()).toBe('1 search.')
  await page.getByRole('button', { name: 'Ranking balance' }).click()
  const learned = page.getByText(/from 1 signals? of feedback/)
  await learned.waitFor()
  expect(await learned.textContent()).toContain('from 1 signal of feedback.')
})
