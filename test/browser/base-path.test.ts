import { expect, test } from 'bun:test'
import { openPage, signIn } from '../support/browser.ts'
import { emptyStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

test('below BASE_PATH every view opens, and the console asks for nothing outside of it', async () => {
  const server = await startServer({ ...(await emptyStore()), BASE_PATH: '/mneme' })
  expect(new URL(server.url).pathname).toBe('/mneme')
  const { page, faults } = await openPage(server.url)
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto(`${server.url}/console/`)
  await signIn(page, server.email, server.password)
  const menu = page.getByRole('navigation', { name: 'Console' })
  await menu.waitFor()
  const reference = await menu.getByRole('link', { name: 'API reference' }).getAttribute('href')
  expect((await fetch(new URL(reference ?? '', page.url()))).status).toBe(200)
  const names = (await menu.getByRole('link').allTextContents())
    .map(name => name.trim())
    .filter(name => name !== 'API reference')
  expect(names.length).toBeGreaterThan(8)
  for (const name of names) {
    await menu.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await until(`${name} is loaded`, async () => {
      const waiting = page.locator('[aria-busy=true]').or(page.getByText('Loading …'))
      return (await waiting.count()) === 0
    })
    expect([name, await page.getByRole('alert').allTextContents()]).toEqual([name, []])
    await page.reload()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  expect(asked.filter(path => !path.startsWith('/mneme/'))).toEqual([])
  expect(faults).toEqual([])
})
