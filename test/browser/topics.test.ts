import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
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
    content: '# tech_stack\n\n- Ada likes TypeScript\n- Ada uses Bun\n',
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
  expect(await placeOf('tech_stack')).toEndWith('/knowledge?user_id=ada&category=tech_stack')
  expect(await placeOf('TypeScript')).toEndWith('/graph?user_id=ada&search=TypeScript')
  expect(await page.getByRole('main').textContent()).toContain('holds 1 entity.')
  const row = page.getByRole('table', { name: 'Knowledge entries' }).getByRole('row').last()
  expect(await row.textContent()).toContain('Ada likes TypeScript · Ada uses Bun')
})
