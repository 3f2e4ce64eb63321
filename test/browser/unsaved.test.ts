import { beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Dialog, Page } from 'playwright-core'
import { openPage, signIn } from '../support/browser.ts'
import { emptyStore, type ServerProcess, startServer } from '../support/process.ts'

const TEXT = 'The kettle sings at noon.\n\nしかし夜には静かだ。'

let server: ServerProcess
let page: Page
beforeAll(async () => {
  server = await startServer(await emptyStore())
})

beforeEach(async () => {
  page = (await openPage(server.url)).page
  await page.goto('/console/')
  await signIn(page, server.email, server.password)
  await menuLink('Templates').click()
  await page.getByRole('link', { name: 'Write a template' }).click()
  await textField().fill(TEXT)
})

const menuLink = (name: string) => page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name })
const textField = () => page.getByLabel('Text', { exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

/** Does what makes the page ask, answers, and tells what kind of question it was. */
async function answering(answer: 'stay' | 'leave', act: () => Promise<unknown>): Promise<string> {
  const asked = page.waitForEvent('dialog')
  const acted = act().catch(() => undefined)
  const question: Dialog = await asked
  const kind = question.type()
  await (answer === 'leave' ? question.accept() : question.dismiss())
  await acted
  return kind
}

test('a text that is not saved is left by link only where the reader agrees', async () => {
  expect(await answering('stay', () => menuLink('Memories').click())).toBe('confirm')
  expect(await textField().inputValue()).toBe(TEXT)
  expect(await answering('leave', () => menuLink('Memories').click())).toBe('confirm')
  await heading('Memories').waitFor()
  // It was given up, so that nothing is asked any more.
  await menuLink('Webhooks').click()
  await heading('Webhooks').waitFor()
})

test('a text stays kept when another one beside it is taken away', async () => {
  await page.getByRole('button', { name: 'Add a memory' }).click()
  await textField().nth(1).fill('Not wanted')
  await page.getByRole('button', { name: 'Remove memory 2' }).click()
  expect(await answering('stay', () => menuLink('Memories').click())).toBe('confirm')
  expect(await textField().inputValue()).toBe(TEXT)
})

test('going back asks too, and the address stays that of what is shown', async () => {
  const address = page.url()
  await answering('stay', () => page.evaluate('history.back()'))
  expect(await textField().inputValue()).toBe(TEXT)
  expect(page.url()).toBe(address)
  await answering('leave', () => page.evaluate('history.back()'))
  await page.getByRole('link', { name: 'Write a template' }).waitFor()
})

test('closing the page asks as the browser does', async () => {
  expect(await answering('leave', () => page.close({ runBeforeUnload: true }))).toBe('beforeunload')
})

test('a dialog stays with its text however often Escape is pressed, and Cancel closes it', async () => {
  await answering('leave', () => menuLink('Memories').click())
  await page.getByRole('button', { name: 'Add a memory' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a memory' })
  await dialog.getByLabel('Text').fill(TEXT)
  let questions = 0
  page.on('dialog', question => {
    questions++
    void question.dismiss()
  })
  // A browser need not tell the page of the second one before it closes the dialog.
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('Escape')
  expect(await dialog.getByLabel('Text').inputValue()).toBe(TEXT)
  expect(questions).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a question above a text does not ask about the text, which is asked about afterwards', async () => {
  await page.getByLabel('Name', { exact: true }).fill('Evening')
  await page.getByRole('button', { name: 'Create the template' }).click()
  await heading('Evening').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await textField().fill('Something else')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await answering('stay', () => menuLink('Memories').click())).toBe('confirm')
  expect(await textField().inputValue()).toBe('Something else')
})

test('the secret of a new webhook is shown, and not left before it was stored', async () => {
  await answering('leave', () => menuLink('Webhooks').click())
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a webhook' })
  await dialog.getByLabel('Address of the receiver').fill('https://example.com/hooks/mneme')
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Create the webhook' }).click()
  await page.getByText(/^whsec_/).waitFor()
  expect(await answering('stay', () => menuLink('Memories').click())).toBe('confirm')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await menuLink('Memories').click()
  await heading('Memories').waitFor()
})

test('a session that has ended takes nothing of what was typed', async () => {
  await page.getByLabel('Name', { exact: true }).fill('Morning')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create the template' }).click()
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await signIn(page, server.email, server.password)
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
  expect(await textField().inputValue()).toBe(TEXT)
  await page.getByRole('button', { name: 'Create the template' }).click()
  // It leads to the template that was made, without a question.
  await heading('Morning').waitFor()
})
