import { beforeAll, expect, test } from 'bun:test'
import { type BrowserPage, openPage, signIn } from '../support/browser.ts'
import { emptyStore, type ServerProcess, startServer } from '../support/process.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer(await emptyStore())
})

const menu = ({ page }: BrowserPage) => page.getByRole('navigation', { name: 'Console' })

test('the address of the service leads a browser to the sign-in, which takes the account of the first start', async () => {
  const browser = await openPage(server.url)
  const { page, faults } = browser
  await page.goto('/')
  expect(new URL(page.url()).pathname).toBe('/console/')
  await signIn(page, server.email, 'wrong')
  await page.getByRole('alert').waitFor()
  expect(await menu(browser).count()).toBe(0)
  await signIn(page, server.email, server.password)
  await menu(browser).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // The session is kept over a reload, in a cookie that scripts cannot read.
  await page.reload()
  await menu(browser).waitFor()
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  expect(faults).toEqual([])
})

test('a session that has ended leads back to the sign-in, and then to where it was', async () => {
  const browser = await openPage(server.url)
  const { page } = browser
  await page.goto('/console/keys')
  await signIn(page, server.email, server.password)
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  await page.context().clearCookies()
  await menu(browser).getByRole('link', { name: 'Memories' }).click()
  await signIn(page, server.email, server.password)
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor()
})

test('an address that no view has says so, with the menu beside it', async () => {
  const browser = await openPage(server.url)
  const { page } = browser
  await page.goto('/console/nothing/here')
  await signIn(page, server.email, server.password)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(await menu(browser).count()).toBe(1)
})
