import { afterEach, beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  const texts = ['Ada likes green tea', 'Ada keeps bees', 'Bob likes black tea', 'Bob sails']
  const memories = texts.map((memory, n) => ({ memory, user_id: n < 2 ? 'ada' : 'bob', metadata: { shelf: n } }))
  expect((await browser.server.client().post('/v1/memories/batch', { memories })).status).toBe(207)
})

afterEach(() => {
  expect(browser.faults).toEqual([])
})

const table = (name = 'Memories') => browser.page.getByRole('table', { name, exact: true })
const panel = () => browser.page.getByRole('complementary', { name: 'Memory' })
const rows = (name?: string) => table(name).locator('tbody tr')
const inAddress = () => Object.fromEntries(new URL(browser.page.url()).searchParams)

test('filters stand in the address and as chips, which take them away again', async () => {
  const { page } = browser
  await page.goto('/console/memories')
  await page.getByRole('button', { name: 'Filters' }).click()
  const user = page.getByRole('search').getByLabel('User')
  await user.fill('ada')
  await user.press('Enter')
  await until('two are left', async () => (await rows().count()) === 2)
  expect(inAddress()).toEqual({ user_id: 'ada' })
  await page.getByRole('search').getByLabel('Metadata of results').fill('{"shelf": 1}')
  await page.getByLabel('Search', { exact: true }).fill('bees')
  await page.getByLabel('Search', { exact: true }).press('Enter')
  await until('one is left', async () => (await rows('Results').count()) === 1)
  expect(inAddress()).toEqual({ search: 'bees', user_id: 'ada', metadata: '{"shelf": 1}' })
  await page.reload()
  await until('the same is left', async () => (await rows('Results').count()) === 1)
  await page.getByRole('button', { name: 'Remove the filter Metadata of results' }).click()
  await page.getByRole('button', { name: 'Remove the filter User' }).click()
  await until('no filter is left', async () => Object.keys(inAddress()).join() === 'search')
})

test('the keyboard leads from the search to a result, beside the list, and back', async () => {
  const { page } = browser
  await page.goto('/console/memories')
  await table().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('bees')
  await page.keyboard.press('Enter')
  await table('Results').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await panel().getByText('Ada keeps bees').waitFor()
  await panel().getByText('The evidence').waitFor()
  expect(await page.title()).toBe('Ada keeps bees – Memories – Mneme')
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  expect(inAddress()).toEqual({ search: 'bees' })
})

test('what changed in a text is marked, and nothing else', async () => {
  const { page, server } = browser
  const { body } = await server.client().post('/v1/memories', { memory: 'Cleo drinks oolong at noon', user_id: 'cleo' })
  await server.client().put(`/v1/memories/${body.id}`, { memory: 'Cleo drinks sencha at noon' })
  await page.goto(`/console/memories/${body.id}`)
  await panel().getByRole('button', { name: 'History' }).click()
  await panel().locator('ins').waitFor()
  expect([await panel().locator('del').allTextContents(), await panel().locator('ins').allTextContents()]).toEqual([
    ['oolong'],
    ['sencha'],
  ])
})

test('those that are chosen get a category together, and are deleted together', async () => {
  const { page, server } = browser
  const client = server.client()
  await page.goto('/console/memories?user_id=bob')
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
  const bulk = page.getByRole('group', { name: 'What is chosen' })
  await bulk.getByText('2 chosen').waitFor()
  await bulk.getByRole('button', { name: 'Categories' }).click()
  await page.getByRole('dialog').getByLabel('Add').fill('drinks, hobbies')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the categories' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const named = (await client.get('/v1/memories', { query: { categories: 'hobbies' } })).body.data
  expect(named.map((memory: { user_id: string }) => memory.user_id)).toEqual(['bob', 'bob'])
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
  await bulk.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No memory fits' }).waitFor()
  expect((await client.get('/v1/memories', { query: { user_id: 'bob' } })).body.total).toBe(0)
})

test('columns are chosen for the address, so that a link shows the same', async () => {
  const { page } = browser
  await page.goto('/console/memories')
  await table().waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Priority' }).check()
  await table().getByRole('columnheader', { name: 'Priority' }).waitFor()
  expect(inAddress()).toEqual({ columns: 'user,categories,priority,created' })
})

test('the palette goes to pages, finds memories, and begins a new one', async () => {
  const { page } = browser
  await page.goto('/console/webhooks')
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find or go to' })
  await field.fill('green tea')
  await page.getByRole('option', { name: /Ada likes green tea/ }).click()
  await panel().getByText('Ada likes green tea').waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('templ')
  await field.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('add a mem')
  await field.press('Enter')
  await page.getByRole('dialog', { name: 'Add a memory' }).waitFor()
})
