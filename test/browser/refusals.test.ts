import { beforeAll, expect, test } from 'bun:test'
import { signIn } from '../support/browser.ts'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

const KNOWN = 'Ada likes tea'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
  const { status } = await browser.server.client().post('/v1/memories', { memory: KNOWN, user_id: 'ada' })
  expect(status).toBe(201)
})

const button = (name: string) => browser.page.getByRole('button', { name, exact: true })
const dialogOf = (name: string) => browser.page.getByRole('dialog', { name })
const focused = () => browser.page.evaluate(() => document.activeElement?.textContent)

async function openedForm(text: string) {
  await browser.page.goto('/console/memories')
  await button('Add a memory').click()
  const dialog = dialogOf('Add a memory')
  await dialog.getByLabel('Text').fill(text)
  await dialog.getByLabel('User').fill('ada')
  return dialog
}

test('the button of a form keeps the focus when the service refuses what it sent', async () => {
  const dialog = await openedForm(KNOWN)
  await button('Add the memory').press('Enter')
  await dialog.getByRole('alert').waitFor()
  // A browser takes the focus from a button that cannot have it at the next frame.
  await browser.page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  expect(await focused()).toBe('Add the memory')
})

test('what is asked for while a form is being sent is not sent again', async () => {
  const { page } = browser
  const dialog = await openedForm('Ada likes coffee')
  let sent = 0
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route('**/v1/memories?**', async route => {
    if (route.request().method() === 'POST') {
      sent++
      await held
    }
    await route.continue()
  })
  await button('Add the memory').press('Enter')
  await until('the button is busy', () => page.locator('[aria-disabled=true][type=submit]').isVisible())
  await dialog.getByLabel('User').press('Enter')
  letGo()
  await dialog.waitFor({ state: 'detached' })
  await page.unrouteAll({ behavior: 'wait' })
  expect(sent).toBe(1)
})

test('a wrong password is called so, and the focus returns once all dialogs are closed', async () => {
  const { page, server } = browser
  const opener = "Delete a user's memories"
  await page.goto('/console/memories?user_id=ada')
  await button(opener).press('Enter')
  await button('Delete all memories').click()
  const question = dialogOf('Delete all memories')
  await question.getByLabel('Your password').fill('wrong')
  await question.getByLabel('Your password').press('Enter')
  expect(await question.getByRole('alert').textContent()).toBe('This is not the password of your account.')
  await question.getByLabel('Your password').fill(server.password)
  await question.getByLabel('Your password').press('Enter')
  await page.getByText('All memories of ada were deleted.').waitFor()
  expect(await focused()).toBe(opener)
})

test('a form tells which of its memories is at fault as it numbers them', async () => {
  const { page } = browser
  await page.goto('/console/templates/new')
  await page.getByLabel('Name', { exact: true }).fill('Tea')
  await page.getByLabel('Text', { exact: true }).fill('{{name}} likes tea')
  await button('Create the template').click()
  const told = await page.getByRole('alert').textContent()
  expect(told).toBe('Memory 1: {{name}} is not among the variables')
  expect(await page.getByLabel('Text', { exact: true }).evaluate(field => field === document.activeElement)).toBe(true)
})

test('a form that was sent when the session had ended says so, and has the focus after the sign-in', async () => {
  const { page, server } = browser
  const dialog = await openedForm('Ada likes cocoa')
  await page.context().clearCookies()
  await button('Add the memory').press('Enter')
  await dialogOf('Sign in again').waitFor()
  await signIn(page, server.email, server.password)
  await dialogOf('Sign in again').waitFor({ state: 'detached' })
  expect(await dialog.getByRole('alert').textContent()).toBe('The session had ended. Sign in, and try again.')
  expect(await focused()).toBe('Add the memory')
})
