import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'
import { until } from '../support/wait.ts'

let browser: OpenConsole
let entry: { id: string; content: string }
beforeAll(async () => {
  browser = await openConsole()
  const client = browser.server.client()
  for (const memory of ['Ada works at ASML.', 'Ada keeps bees in the garden.'])
    expect((await client.post('/v1/memories', { memory, user_id: 'ada' })).status).toBe(201)
  await until('the knowledge of Ada is compiled', async () => {
    const { body } = await client.get('/v1/knowledge', { query: { user_id: 'ada', category: 'work_context' } })
    entry = body.data[0]
    return entry?.content.includes('bees') && entry.content.includes('ASML')
  })
})

test('a document is shown as Markdown has it, and a mark shows the memory behind a statement', async () => {
  const { page, faults } = browser
  await page.goto(`/console/knowledge/${entry.id}`)
  const text = page.getByRole('region', { name: 'Text' })
  const statement = text.getByRole('listitem').filter({ hasText: 'Ada works at ASML' }).first()
  expect(await statement.textContent()).not.toContain('memories:')
  await statement.getByRole('button', { name: 'Show the memory that says so' }).hover()
  await page
    .getByRole('list', { name: 'Memories that say so' })
    .getByRole('link', { name: 'Ada works at ASML.' })
    .click()
  await page.getByRole('complementary', { name: 'Memory' }).getByText('Ada works at ASML.').first().waitFor()
  expect(faults).toEqual([])
})

test('markup in an entry is nothing that runs', async () => {
  const { page, faults } = browser
  await page.goto(`/console/knowledge/${entry.id}`)
  await page.getByRole('button', { name: 'Edit by hand' }).click()
  const field = page.getByRole('textbox', { name: /^Text, from version/ })
  const hostile =
    '- <img src=x onerror=alert(1)> <a href="javascript:alert(1)" style="color:red">a link</a> [of](javascript:alert(2)) Ada'
  await field.fill(`${entry.content}\n${hostile}\n`)
  // The preview is beside the text that is typed.
  const preview = page.getByRole('region', { name: 'Text' })
  await preview.getByText(/a link/).waitFor()
  expect(await preview.locator('img, [style], [href^=javascript]').count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(faults).toEqual([])
})

test('a version that was kept shows what it changed, and is restored', async () => {
  const { page, server, faults } = browser
  const client = server.client()
  await page.goto(`/console/knowledge/${entry.id}`)
  await page.getByRole('button', { name: 'Edit by hand' }).click()
  const field = page.getByRole('textbox', { name: /^Text, from version/ })
  await field.fill(entry.content.replace('bees', 'sheep'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Text' }).getByText(/sheep/).waitFor()
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.locator('main ins', { hasText: 'sheep' }).first().waitFor()
  expect(await page.locator('main del').first().textContent()).toContain('bees')
  await page
    .getByRole('button', { name: /^Restore version/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await until('the text is what it was', async () => {
    const { body } = await client.get(`/v1/knowledge/${entry.id}`)
    return body.content.includes('bees') && !body.content.includes('sheep')
  })
  expect(faults).toEqual([])
})
