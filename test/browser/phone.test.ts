import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
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
