import { beforeAll, expect, test } from 'bun:test'
import { type BrowserPage, openPage, signIn } from '../support/browser.ts'
import { emptyStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

let browser: BrowserPage
beforeAll(async () => {
  const server = await startServer(await emptyStore())
  browser = await openPage(server.url)
  await browser.page.goto('/console/')
  await signIn(browser.page, server.email, server.password)
  await browser.page.getByRole('navigation', { name: 'Console' }).waitFor()
})

test('the topics of a profile lead to the knowledge of a category, or to the graph', async () => {
  const { page } = browser
  const profile = {
    userId: 'ada',
    workspaceId: '01985b3c-0000-7000-8000-000000000002',
    summary: 'Ada likes TypeScript.',
    topics: ['TypeScript', 'tech_stack'],
    entityCount: 1,
    extractedAt: '2026-01-01T00:00:00.000Z',
  }
  const entry = {
    id: '01985b3c-0000-7000-8000-000000000003',
    user_id: 'ada',
    category: 'tech_stack',
    content: 'TypeScript',
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }
  // Memories of a real user would be compiled at a moment of their own.
  await page.route('**/v1/memories/profile/**', route => route.fulfill({ json: { profile } }))
  await page.route('**/v1/knowledge?**', route =>
    route.fulfill({ json: { data: [entry], total: 1, page: 1, page_size: 100 } }),
  )
  await page.goto('/console/knowledge?user_id=ada')
  const topics = page.getByRole('list', { name: 'Topics' })
  const placeOf = (topic: string) => topics.getByRole('link', { name: topic }).getAttribute('href')
  await until('the topic leads to its category', async () => (await placeOf('tech_stack'))?.includes('/knowledge?'))
  expect(await placeOf('tech_stack')).toBe('/console/knowledge?user_id=ada&category=tech_stack')
  expect(await placeOf('TypeScript')).toBe('/console/graph?user_id=ada&search=TypeScript')
})
