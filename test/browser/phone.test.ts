import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
})

const menu = () => browser.page.getByRole('navigation', { name: 'Console' })

test('on a phone the menu opens above the page, shows which one is open, and closes when another is chosen', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 800 })
  for (const [path, title] of [
    ['/', 'Overview'],
    ['/templates', 'Templates'],
    ['/settings', 'Settings'],
  ] as const) {
    await page.goto(`/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await menu().isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    const entry = menu().locator('[aria-current]')
    await until('the open page is in sight', async () => {
      const { left, right, top, bottom } = await entry.evaluate(chosen => chosen.getBoundingClientRect())
      return left >= 0 && right <= 390 && top >= 0 && bottom <= 800
    })
    expect((await entry.textContent())?.trim()).toBe(title)
  }
  await menu().getByRole('link', { name: 'Memories' }).click()
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor()
  expect(await menu().isVisible()).toBe(false)
})
