import { beforeAll, expect, test } from 'bun:test'
import { type OpenConsole, openConsole } from '../support/console.ts'

let browser: OpenConsole
beforeAll(async () => {
  browser = await openConsole()
})

test('the first minute makes a key, stores a memory, finds it, and shows how an agent is connected', async () => {
  const { page, server, faults } = browser
  const step = (name: RegExp) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await page.getByRole('button', { name: 'Make a key' }).click()
  const shown = page.getByText(/^mn_live_\w+$/)
  const key = ((await shown.textContent()) ?? '').trim()

  const storing = step(/Store a memory/)
  await storing.getByLabel('A text').fill('Grace keeps bees in Porto.')
  await storing.getByRole('button', { name: 'Store it' }).click()
  await storing.getByRole('link', { name: 'It is stored. See it.' }).waitFor()
  // The memory fills the workspace, and the steps stay to their end all the same.
  const finding = step(/Find it again/)
  await finding.getByLabel('A question').fill('Who has bees?')
  await finding.getByRole('button', { name: 'Find it' }).click()
  await finding.getByRole('link', { name: 'Grace keeps bees in Porto.' }).waitFor()

  await finding.locator('summary').click()
  const command = (await finding.locator('pre').textContent()) ?? ''
  expect(command).toContain(`X-Api-Key: ${key}`)
  const [, address = ''] = /"(http[^"]+)"/.exec(command) ?? []
  const [, body = ''] = /-d '(.+)'/.exec(command) ?? []
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({ data: [{ memory: 'Grace keeps bees in Porto.' }] })

  const connecting = step(/Connect an agent/)
  for (const [way, words] of [
    ['Claude Code', `claude mcp add --transport http mneme "${server.url}/v1/mcp`],
    ['Cursor', '"mcpServers"'],
    ['TypeScript', "from '@mneme/client'"],
    ['Python', 'from mneme_client import Mneme'],
  ] as const) {
    await connecting.getByRole('button', { name: way }).click()
    const text = await connecting.locator('pre').textContent()
    expect(text).toContain(words)
    expect(text).toContain(key)
  }
  expect((await server.client(key).get('/v1/api-keys')).status).toBeGreaterThanOrEqual(401)

  await page.getByRole('button', { name: 'Go to the overview' }).click()
  await page.getByRole('heading', { name: 'Memories created', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Memories created', exact: true }).waitFor()
  expect(faults).toEqual([])
})
