import { expect, test } from 'bun:test'
import { openConsole } from '../support/console.ts'

test('a template is previewed with its values, which are stored for a user, and a faulty value is told', async () => {
  const { page, server, faults } = await openConsole()
  const client = server.client()
  const { body } = await client.post('/v1/templates', {
    name: 'Welcome',
    variables: [{ name: 'name', required: true }],
    memories: [{ memory: '{{name}} bought the starter plan.' }],
  })
  await page.goto(`/console/templates/${body.id}`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('name', { exact: true }).fill('Grace')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('table', { name: 'Preview' })
  await preview.getByText('Grace bought the starter plan.').waitFor()
  // A preview is one of the values that stand in the form.
  await page.getByLabel('name', { exact: true }).fill('Linus')
  await preview.waitFor({ state: 'detached' })
  await page.getByLabel('User', { exact: true }).fill('linus')
  await page.getByRole('button', { name: 'Store the memories' }).click()
  await page.getByText('1 memory was created.').waitFor()
  const stored = (await client.get('/v1/memories', { query: { user_id: 'linus' } })).body.data
  expect(stored.map(({ memory }: { memory: string }) => memory)).toEqual(['Linus bought the starter plan.'])

  await page.goto('/console/templates?kind=built-in')
  await page
    .getByRole('button', { name: /^Copy / })
    .first()
    .click()
  await page.waitForURL(/\/templates\/[0-9a-f-]{36}$/)
  expect((await client.get('/v1/templates')).body.total).toBe(2)
  expect(faults).toEqual([])
})
