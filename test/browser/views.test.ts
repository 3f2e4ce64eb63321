import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

const VIEWS = [
  'Overview',
  'Memories',
  'Graph',
  'Knowledge',
  'Files and pages',
  'Playground',
  'Search quality',
  'Templates',
  'Webhooks',
  'Export and import',
  'API keys',
  'Connected apps',
  'Settings',
]

let browser: OpenConsole
let server: OpenConsole['server']
beforeAll(async () => {
  browser = await openConsole()
  server = browser.server
})

afterEach(() => {
  expect(browser.faults).toEqual([])
})

const menu = () => browser.page.getByRole('navigation', { name: 'Console' })
const heading = (name: string) => browser.page.getByRole('heading', { level: 1, name })
const open = async (name: string) => {
  await menu().getByRole('link', { name, exact: true }).click()
  await heading(name).waitFor()
}

const allLoaded = () =>
  until('everything is loaded', async () => {
    const waiting = browser.page.locator('[aria-busy=true]').or(browser.page.getByText('Loading …'))
    return (await waiting.count()) === 0
  })

/** Opens each view, waits until all that it loads is there, and lists those that show an error. */
async function failingViews(): Promise<string[]> {
  const failing: string[] = []
  for (const name of VIEWS) {
    await open(name)
    await allLoaded()
    if ((await browser.page.getByRole('alert').count()) > 0) failing.push(name)
  }
  return failing
}

/** Widths of the page and of its window, on a phone. */
async function widthOn(path: string): Promise<{ page: number; window: number }> {
  await browser.page.goto(`/console${path}`)
  await browser.page.getByRole('heading', { level: 1 }).waitFor()
  await allLoaded()
  return browser.page.evaluate(() => ({ page: document.documentElement.scrollWidth, window: innerWidth }))
}

test('every view of an empty workspace opens without an error', async () => {
  expect(await failingViews()).toEqual([])
})

describe('memories', () => {
  const TEXT = 'Ada keeps <img src=x onerror=alert(1)> bees in Lisbon'

  test('are added, found, corrected and deleted, and their text is nothing but text', async () => {
    const { page } = browser
    await open('Memories')
    await page.getByRole('button', { name: 'Add a memory' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text').fill(TEXT)
    await dialog.getByLabel('User').fill('ada')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Memories' }).getByText('bees in Lisbon').waitFor()

    await page.getByLabel('Search', { exact: true }).fill('bees')
    await page.getByLabel('Search', { exact: true }).press('Enter')
    const found = page.getByRole('table', { name: 'Results' }).getByRole('link', { name: /bees in Lisbon/ })
    await found.click()
    await page.getByText(TEXT).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Text').fill('Ada keeps bees in Porto')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ada keeps bees in Porto').first().waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('complementary', { name: 'Memory' }).waitFor({ state: 'detached' })
    expect((await server.client().get('/v1/memories')).body.total).toBe(0)
  })

  test('keep the priority that somebody else gives them while their text is edited', async () => {
    const { page } = browser
    const client = server.client()
    const { body } = await client.post('/v1/memories', { memory: 'Carla sails on Sundays', priority: 'LOW' })
    await page.goto(`/console/memories/${body.id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text').fill('Carla sails on Mondays')
    await client.put(`/v1/memories/${body.id}`, { memory: body.memory, priority: 'HIGH' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const saved = (await client.get(`/v1/memories/${body.id}`)).body
    expect(saved).toMatchObject({ memory: 'Carla sails on Mondays', priority: 'HIGH' })
    await client.delete(`/v1/memories/${body.id}`)
  })

  test('that failed are found by their status, and are all processed again', async () => {
    const { page } = browser
    const client = server.client()
    const { body } = await client.post('/v1/memories', { memory: 'Dora paints boats' })
    const failed = { ...body, status: 'FAILED', source: 'API', relevance: 'NONE' }
    const list = (url: URL) => url.pathname === '/v1/memories' && url.searchParams.get('status') === 'FAILED'
    await page.route(list, route => route.fulfill({ json: { data: [failed], total: 1, page: 1, page_size: 20 } }))
    await open('Memories')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('search').getByLabel('Status').selectOption('FAILED')
    await page.getByRole('button', { name: 'Process all again' }).click()
    const queued = page.waitForResponse(response => response.url().includes('/v1/memories/reprocess'))
    await page.getByRole('dialog').getByRole('button', { name: 'Process all again' }).click()
    expect((await queued).status()).toBe(202)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.unroute(list)
    await client.delete(`/v1/memories/${body.id}`)
  })

  test('that the service refuses stay in the form, with the reason', async () => {
    const { page } = browser
    await open('Memories')
    await page.getByRole('button', { name: 'Add a memory' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text').fill('  ')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('alert').getByText('Text: must not be blank', { exact: true }).waitFor()
    expect(await dialog.getByLabel('Text').evaluate(field => field === document.activeElement)).toBe(true)
    await dialog.getByLabel('Text').fill('Bob likes tea')
    await dialog.getByLabel('Metadata').fill('{"a": ')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('alert').waitFor()
    const asked = page.waitForEvent('dialog')
    const pressed = page.keyboard.press('Escape')
    await (await asked).dismiss()
    await pressed
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Bob likes tea')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})

test('every view of a workspace in use opens without an error, also on a phone', async () => {
  const client = server.client()
  for (const memory of [
    'Ada works at ASML.',
    'Ada lives in Porto.',
    'アダは東京に住んでいる。',
    'تعيش عايدة في القاهرة.',
  ]) {
    const { status, body } = await client.post('/v1/memories', { memory, user_id: 'ada' })
    expect(status).toBe(201)
    await until(
      `${memory} is processed`,
      async () => (await client.get(`/v1/memories/${body.id}`)).body.status === 'COMPLETED',
    )
  }
  await until('the graph knows them', async () => (await client.get('/v1/graph/entities')).body.total >= 3)
  await client.post('/v1/memories/search', { query: 'nothing of the kind' })
  expect(await failingViews()).toEqual([])
  await browser.page.setViewportSize({ width: 390, height: 800 })
  for (const path of ['/', '/memories', '/graph', '/imports', '/webhooks', '/keys', '/members', '/settings']) {
    const { page, window } = await widthOn(path)
    expect({ path, isWider: page > window }).toEqual({ path, isWider: false })
  }
  await browser.page.setViewportSize({ width: 1280, height: 900 })
})

test('what is typed is kept while a list loads itself again', async () => {
  const { page } = browser
  const job = {
    id: '01985b3c-0000-7000-8000-000000000001',
    format: 'TEXT',
    status: 'PROCESSING',
    user_id: 'ada',
    categories: [],
    progress: { chunks_total: 10, chunks_done: 1 },
    file_name: 'a.txt',
    warnings: [],
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }
  // A real job would be done at a moment of its own.
  await page.route('**/v1/ingest-jobs?**', route =>
    route.fulfill({ json: { data: [job], total: 1, page: 1, page_size: 20 } }),
  )
  await open('Files and pages')
  await page.getByText('a.txt').waitFor()
  const field = page.getByRole('form', { name: 'Filters' }).getByLabel('User')
  await field.fill('somebody')
  await page.waitForResponse('**/v1/ingest-jobs?**')
  await page.waitForResponse('**/v1/ingest-jobs?**')
  expect(await field.inputValue()).toBe('somebody')
  await page.unroute('**/v1/ingest-jobs?**')
})

test('an entity shows its relationships, with the memories that they come from', async () => {
  const { page } = browser
  await open('Graph')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.getByRole('link', { name: 'Ada', exact: true }).first().click()
  await heading('Ada').waitFor()
  await page.getByRole('link', { name: 'ASML' }).first().waitFor()
})

test('a context shows what an agent would be told of a user, and leads to its memories', async () => {
  const { page } = browser
  await open('Playground')
  await page.getByLabel('Message').fill('アダはどこに住んでいる？')
  await page.getByLabel('User').fill('ada')
  await page.getByRole('button', { name: 'Try the message' }).click()
  const told = page.getByRole('region', { name: 'Context' })
  await told.getByText('アダは東京に住んでいる。').waitFor()
  await page
    .getByRole('table', { name: 'Memories in it' })
    .getByRole('link', { name: 'アダは東京に住んでいる。' })
    .click()
  await page.getByText('アダは東京に住んでいる。').first().waitFor()
  await page.goBack()
  await told.getByText('アダは東京に住んでいる。').waitFor()
  await page.getByLabel('User').fill('nobody')
  await page.getByRole('button', { name: 'Try the message' }).click()
  await page.getByRole('heading', { name: 'Nothing is known' }).waitFor()
  expect(await told.count()).toBe(0)
})

test('a key is shown once, works, and is revoked', async () => {
  const { page } = browser
  await open('API keys')
  await page.getByRole('button', { name: 'Create a key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('From the console')
  await dialog.getByRole('button', { name: 'Choose all' }).click()
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  const shown = page.getByText(/^mn_live_\w+$/)
  await shown.waitFor()
  const key = ((await shown.textContent()) ?? '').trim()
  expect((await server.client(key).get('/v1/memories')).status).toBe(200)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  expect(await page.getByText(key).count()).toBe(0)
  await page.getByRole('button', { name: 'Actions for From the console' }).click()
  await page.getByRole('button', { name: 'Revoke From the console' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('the key is refused', async () => (await server.client(key).get('/v1/memories')).status === 401)
})

test('a change that cannot be undone asks for the password, and does nothing without it', async () => {
  const { page } = browser
  const total = async () => (await server.client().get('/v1/memories')).body.total
  const before = await total()
  expect(before).toBeGreaterThan(0)
  await open('Settings')
  await page.getByRole('button', { name: 'Delete all memories' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('パスワード')
  await dialog.getByRole('button', { name: 'Delete all memories' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await total()).toBe(before)
  await dialog.getByLabel('Your password').fill(server.password)
  await dialog.getByRole('button', { name: 'Delete all memories' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await total()).toBe(0)
})
