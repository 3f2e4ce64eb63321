import { afterEach, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type BrowserPage, openPage, signIn } from '../support/browser.ts'
import { onEnd } from '../support/closing.ts'
import { growGraph } from '../support/grown-graph.ts'
import { serveHttp } from '../support/http-server.ts'
import { idleService } from '../support/service.ts'
import { until } from '../support/wait.ts'

let browser: BrowserPage
beforeAll(async () => {
  const { account, kernel, database } = await idleService()
  const owner = await account()
  await growGraph(database, owner.workspaceId, { users: 25, entities: 2_000, edges: 5_000 })
  const server = await serveHttp(kernel.fetch)
  onEnd(async () => server.close())
  browser = await openPage(server.origin)
  await browser.page.goto('/console/')
  await signIn(browser.page, owner.email, owner.password)
  await browser.page.getByRole('navigation', { name: 'Console' }).waitFor()
})

afterEach(() => {
  expect(browser.faults).toEqual([])
})

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Opens a view of the graph, and waits until it is there. */
async function open(query = ''): Promise<void> {
  await browser.page.goto(`/console/graph${query}`)
  await picture().waitFor()
}

const picture = () => browser.page.locator('.graph-canvas[data-state=drawn]')
const summary = () => browser.page.getByText(/are shown\.$/)
const chosen = () => browser.page.getByRole('complementary', { name: 'Chosen' })
const shows = (text: string) =>
  until(`it says “${text}”`, async () => (await summary().textContent())?.includes(text) === true)

/** Lists what axe-core finds wrong. */
async function violations(): Promise<string[]> {
  await browser.page.evaluate(AXE)
  return browser.page.evaluate(async () => {
    const { violations: found } = await Reflect.get(globalThis, 'axe').run(document)
    return found.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
  })
}

test('2,000 entities and 5,000 relationships are drawn at once, and nothing is wrong with the page', async () => {
  await open()
  await shows('2,000 entities and 5,000 relationships')
  expect(await picture().getAttribute('aria-label')).toStartWith('2,000 entities and 5,000 relationships')
  expect(await violations()).toEqual([])
  await browser.page.emulateMedia({ colorScheme: 'dark' })
  await open()
  expect(await violations()).toEqual([])
  await browser.page.emulateMedia({ colorScheme: 'light' })
})

test('filters leave out what does not fit, in the address too', async () => {
  const { page } = browser
  await open()
  await page.getByLabel('People').uncheck()
  await shows('1,200 entities')
  expect(page.url()).toContain('types=PERSON')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await shows('2,000 entities')
  await page.getByLabel('Former relationships').uncheck()
  await shows('2,000 entities and 4,425 relationships')
  await page.getByLabel('Same names together').check()
  await until('what has one name is one', async () => !(await summary().textContent())?.includes('2,000'))
})

test('the graph of a day holds what was known by then', async () => {
  const { page } = browser
  await open()
  const slider = page.getByRole('slider', { name: 'As it was known on' })
  await slider.focus()
  await page.keyboard.press('Home')
  await until('the first day has the users alone', async () =>
    /^2\d entities/.test((await summary().textContent()) ?? ''),
  )
  await page.keyboard.press('End')
  await shows('2,000 entities and 5,000 relationships')
})

test('an answer lights up what it rests on, which leads to the memories that say so, by keyboard alone', async () => {
  const { page } = browser
  await open()
  await page.getByLabel('Ask the graph').fill('Where does Curt Casper work?')
  await page.keyboard.press('Enter')
  const rests = page.getByRole('list', { name: 'Entities that the answer rests on' })
  await rests.getByRole('button', { name: 'Curt Casper' }).focus()
  await page.keyboard.press('Enter')
  await chosen().getByRole('heading', { name: 'Curt Casper' }).waitFor()
  await chosen().getByRole('button', { name: 'works at' }).first().focus()
  await page.keyboard.press('Enter')
  await chosen().getByRole('heading', { name: 'Memories that say so' }).waitFor()
  await chosen().getByRole('link', { name: 'Curt Casper works at' }).waitFor()
  expect(await violations()).toEqual([])
  await page.goBack()
  await chosen().getByRole('heading', { name: 'Curt Casper' }).waitFor()
})

test('a search finds entities, and tells those of one name apart by their users', async () => {
  const { page } = browser
  await open()
  await page.getByLabel('Find an entity').fill('Goodwin and Sons')
  await page.keyboard.press('Enter')
  const found = page.getByRole('complementary', { name: 'Found' })
  const same = found.getByRole('button', { name: 'Goodwin and Sons' })
  await same.first().waitFor()
  expect(await same.count()).toBeGreaterThan(1)
  const told = await same.allTextContents()
  expect(new Set(told).size).toBe(told.length)
  await same.first().click()
  await chosen().getByRole('heading', { name: 'Goodwin and Sons' }).waitFor()
})

test('the list has the same as the picture, and leads to the page of an entity', async () => {
  const { page } = browser
  await page.goto('/console/graph?view=list&user_id=curt-casper')
  const table = page.getByRole('table', { name: 'Entities' })
  await table.waitFor()
  await shows('80 entities and 200 relationships')
  expect(await violations()).toEqual([])
  await table.getByRole('link', { name: 'Curt Casper' }).click()
  await page.getByRole('heading', { level: 1, name: 'Curt Casper' }).waitFor()
  const row = page.getByRole('table', { name: 'Relationships' }).getByRole('row').nth(1)
  await row.getByText('1 memory').click()
  await row.getByRole('listitem').getByText('Curt Casper').waitFor()
  expect(await violations()).toEqual([])
})

test('on a phone nothing is wider than the screen', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 800 })
  await open('?user_id=curt-casper')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
