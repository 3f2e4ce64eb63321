import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  const memories = Array.from({ length: 45 }, (_, n) => ({ memory: `Shelf ${n} holds tea`, user_id: 'ada' }))
  expect((await browser.server.client().post('/v1/memories/batch', { memories })).status).toBe(207)
})

const pageIs = (text: string) => browser.page.getByText(text).waitFor()
const addressIs = (ending: string) =>
  until(ending, async () => /\/console\/w\/[^/]+(\/.*)$/.exec(browser.page.url())?.[1] === ending)
const search = () => browser.page.getByLabel('Search', { exact: true })

test('going back leads through the pages of a list before it leaves the list', async () => {
  const { page } = browser
  await page.goto('/console/settings')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Memories' }).click()
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await pageIs('Page 2 of 3, 45 in all')
  await next.click()
  await pageIs('Page 3 of 3, 45 in all')
  await page.goBack()
  await pageIs('Page 2 of 3, 45 in all')
  await page.goBack()
  await pageIs('Page 1 of 3, 45 in all')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

test('going back leads to the place in a list that was left', async () => {
  const { page } = browser
  await page.goto('/console/memories?page=2')
  const last = page.getByRole('link', { name: /^Shelf/ }).last()
  await last.waitFor()
  const left = await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight)
    return scrollY
  })
  expect(left).toBeGreaterThan(100)
  await last.click()
  const panel = page.getByRole('complementary', { name: 'Memory' })
  await panel
    .getByText(/^Shelf/)
    .last()
    .waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(left)
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await until('the list is where it was', async () => (await page.evaluate(() => scrollY)) === left)
})

test('going back leads to the search before, with its words in the field', async () => {
  const { page } = browser
  await page.goto('/console/memories')
  for (const words of ['shelf 7', 'shelf 8']) {
    await search().fill(words)
    await search().press('Enter')
    await addressIs(`/memories?search=${words.replace(' ', '+')}`)
  }
  await page.goBack()
  await addressIs('/memories?search=shelf+7')
  await until('the field has its words', async () => (await search().inputValue()) === 'shelf 7')
  await page.goBack()
  await addressIs('/memories')
})

test('going back within a view asks nothing about a text that stays', async () => {
  const { page } = browser
  let questions = 0
  page.on('dialog', question => {
    questions++
    void question.accept()
  })
  const { body } = await browser.server.client().post('/v1/templates', {
    name: 'Tea',
    memories: [{ memory: 'Likes tea' }],
  })
  await page.goto(`/console/templates/${body.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('Likes coffee')
  await page.goBack()
  await addressIs(`/templates/${body.id}`)
  await page.goForward()
  await page.getByLabel('Text', { exact: true }).waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Likes coffee')
  expect(questions).toBe(0)
})

test('a memory that is gone offers no second try, and a page beyond the last says so', async () => {
  const { page } = browser
  await page.goto(`/console/memories/${crypto.randomUUID()}`)
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.goto('/console/memories?page=9')
  await page.getByText('Beyond the last page').waitFor()
  await page.getByRole('button', { name: 'Show the first page' }).click()
  await addressIs('/memories?page=1')
})
