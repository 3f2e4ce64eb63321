import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
})

test('what to keep of conversations is set in the settings, and cleared again', async () => {
  const { page, server } = browser
  const client = server.client()
  const kept = async () => {
    const { body } = await client.get('/v1/workspaces')
    const [{ id }] = body.data
    return (await client.get(`/v1/workspaces/${id}`)).body.settings.conversation_instructions
  }
  const field = page.getByLabel('What to keep of conversations')
  const save = async (text: string) => {
    await field.fill(text)
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('The settings are saved.').waitFor()
  }
  await page.goto('/console/settings')
  await save('Keep orders. ')
  expect(await kept()).toBe('Keep orders.')
  await page.reload()
  expect(await field.inputValue()).toBe('Keep orders.')
  await save('')
  expect(await kept()).toBeNull()
})

test('a wrong present password is told by the name of its field, which is led to', async () => {
  const { page } = browser
  await page.goto('/console/settings')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const present = page.getByLabel('Present password')
  await present.fill('wrong')
  await page.getByLabel('New password', { exact: true }).fill('long enough')
  await page.getByLabel('New password once more').fill('long enough')
  await page.getByRole('button', { name: 'Change the password' }).click()
  expect(await page.getByRole('alert').textContent()).toBe('Present password: is wrong')
  expect(await present.evaluate(field => field === document.activeElement)).toBe(true)
})
