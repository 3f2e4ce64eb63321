import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const VIEWS = [
  '',
  'memories',
  'memories?search=tea',
  'graph',
  'knowledge',
  'imports',
  'context',
  'searches',
  'templates',
]
const OTHERS = ['templates/new', 'webhooks', 'transfers', 'keys', 'members', 'settings', 'nothing']

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  // A view that fades in has too little contrast until it is there.
  await browser.page.emulateMedia({ reducedMotion: 'reduce' })
  await browser.page.addInitScript({ content: await readFile(AXE, 'utf8') })
})

/** Names each rule that is broken, with the first element that breaks it. */
async function broken(): Promise<string[]> {
  await until('everything is loaded', async () => {
    const waiting = browser.page.locator('[aria-busy=true]').or(browser.page.getByText('Loading …'))
    return (await waiting.count()) === 0
  })
  return browser.page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`,
  )
}

test.each(['light', 'dark'] as const)('axe finds nothing in the first steps, %s', async colorScheme => {
  const { page } = browser
  await page.emulateMedia({ colorScheme })
  await page.goto('/console/')
  await page.getByRole('button', { name: 'Make a key' }).waitFor()
  for (const summary of await page.locator('main summary').all()) await summary.click()
  expect(await broken()).toEqual([])
})

test.each(['light', 'dark'] as const)('axe finds nothing on any page, %s', async colorScheme => {
  const { page, server } = browser
  for (const memory of ['Ada likes green tea.', 'Ada lives in Porto.', 'Ada lives in Lisbon.'])
    await server.client().post('/v1/memories', { memory, user_id: 'ada' })
  await page.emulateMedia({ colorScheme })
  const found: Record<string, string[]> = {}
  for (const path of [...VIEWS, ...OTHERS]) {
    await page.goto(`/console/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const faults = await broken()
    if (faults.length > 0) found[path] = faults
  }
  expect(found).toEqual({})
})

test('axe finds nothing in the palette, beside the list, in dialogs and in the menu of a row', async () => {
  const { page } = browser
  await page.goto('/console/memories')
  await page.getByRole('link', { name: /green tea/ }).click()
  await page.getByRole('complementary', { name: 'Memory' }).getByText('Comes from').waitFor()
  expect(await broken()).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add a memory' }).click()
  await page.getByRole('dialog', { name: 'Add a memory' }).waitFor()
  expect(await broken()).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Templates/ }).waitFor()
  expect(await broken()).toEqual([])
  await page.keyboard.press('Escape')
  for (const [path, button] of [
    ['keys', 'Create a key'],
    ['webhooks', 'Create a webhook'],
    ['transfers', 'Make an export'],
    ['members', 'Invite somebody'],
  ] as const) {
    await page.goto(`/console/${path}`)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog', { name: button }).waitFor()
    expect({ path, faults: await broken() }).toEqual({ path, faults: [] })
  }
  await page.goto('/console/keys')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Rotate/ })
    .first()
    .waitFor()
  expect(await broken()).toEqual([])
})
