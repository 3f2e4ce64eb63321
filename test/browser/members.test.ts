import { beforeAll, expect, test } from 'bun:test'
import { openPage, signIn } from '../support/browser.ts'
import { emptyStore, type ServerProcess, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer(await emptyStore())
})

const PASSWORD = 'a kettle and two cups'

test('somebody is invited by a link, makes an account, and sees the workspace as the role allows', async () => {
  const { page, faults } = await openPage(server.url)
  await page.goto('/console/members')
  await signIn(page, server.email, server.password)
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByLabel('E-mail').fill('bob@example.com')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = (await page.getByText(/#invitation=/).textContent())?.trim() ?? ''
  expect(link).toStartWith(`${server.url}/console/#invitation=`)
  await page.getByRole('button', { name: 'I have sent it' }).click()
  await page.getByRole('row', { name: /bob@example\.com.*invited/ }).waitFor()
  expect(await page.getByText(/#invitation=/).count()).toBe(0)

  const { page: guest, faults: others } = await openPage(server.url)
  await guest.goto(link)
  await guest.getByText('You are invited to a workspace.').waitFor()
  // The token does not stay in the address, which people copy.
  expect(guest.url()).not.toContain('invitation')
  await guest.locator('summary').click()
  await guest.getByLabel('Your e-mail').fill('bob@example.com')
  await guest.getByLabel('New password').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Make the account' }).click()
  const menu = guest.getByRole('navigation', { name: 'Console' })
  await menu.getByRole('link', { name: 'Memories' }).waitFor()
  expect(await menu.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  expect(await menu.getByRole('link', { name: 'Members' }).count()).toBe(0)

  await page.reload()
  await page.getByLabel('Role of bob@example.com').selectOption('admin')
  await until('the role to hold', async () => {
    await guest.reload()
    await menu.getByRole('link', { name: 'Memories' }).waitFor()
    return (await menu.getByRole('link', { name: 'Members' }).count()) === 1
  })
  await page.getByRole('button', { name: 'Remove bob@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByLabel('Role of bob@example.com').waitFor({ state: 'detached' })
  await guest.reload()
  await guest.getByRole('heading', { name: 'No workspace' }).waitFor()
  expect([...faults, ...others]).toEqual([])
})

test('a link that no longer serves says so, and the console goes on', async () => {
  const { page } = await openPage(server.url)
  await page.goto('/console/#invitation=made-up')
  await page.getByLabel('E-mail', { exact: true }).fill(server.email)
  await page.getByLabel('Password', { exact: true }).fill(server.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The invitation was accepted').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('navigation', { name: 'Console' }).waitFor()
})
