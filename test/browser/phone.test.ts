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
  await menu().waitFor()
})

const menu = () => browser.page.getByRole('navigation', { name: 'Console' })
const entry = () => menu().locator('[aria-current]')

test('on a phone the menu is as high on every view, and shows which one is open', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 800 })
  const heights = new Set<number>()
  for (const path of ['/', '/templates', '/settings']) {
    await page.goto(`/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await until(`the menu shows ${path}`, async () => {
      const { left, right } = await entry().evaluate(chosen => chosen.getBoundingClientRect())
      return left >= 0 && right <= 390
    })
    heights.add(await menu().evaluate(({ clientHeight }) => clientHeight))
  }
  expect([...heights]).toHaveLength(1)
})
