import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPage, signIn } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { emptyStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const PLUGIN = `import { consolePages, definePlugin, extend } from 'mneme/plugin'

export default definePlugin({
  id: 'gallery',
  version: '1.0.0',
  apiVersion: 1,
  pages: [{ path: '/x/gallery', folder: new URL('./public/', import.meta.url), fallback: 'index.html' }],
  setup: () => ({
    scope: null,
    extensions: [extend(consolePages, { id: 'gallery', title: 'Gallery', path: '/x/gallery/', icon: 'image', order: 50 })],
  }),
})
`
const PAGE = `<!doctype html><html lang="en"><title>Gallery</title>
<link rel="stylesheet" href="/console/page.css"><script type="module" src="/x/gallery/page.js"></script>
<h1>Pictures</h1><button class="button first">Add one</button><p id="total"></p>`
const SCRIPT = `const response = await fetch('/v1/memories' + location.search)
document.querySelector('#total').textContent = (await response.json()).total + ' memories'`

test('a page of a plugin opens beside the menu, with its styles, the colours, the workspace and the session', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'public'))
  await writeFile(join(folder, 'index.mjs'), PLUGIN)
  await writeFile(join(folder, 'public/index.html'), PAGE)
  await writeFile(join(folder, 'public/page.js'), SCRIPT)
  const server = await startServer({ ...(await emptyStore()), PLUGINS: join(folder, 'index.mjs') })
  expect((await server.client().post('/v1/memories', { memory: 'Ada paints' })).status).toBe(201)
  const { page, faults } = await openPage(server.url)
  await page.goto('/console/')
  await signIn(page, server.email, server.password)
  const menu = page.getByRole('navigation', { name: 'Console' })
  await menu.getByRole('link', { name: 'Gallery' }).click()
  const inside = () => page.frame({ url: /\/x\/gallery\/\?workspace_id=/ })
  const isShown = () =>
    until('the page has its data', async () => (await inside()?.textContent('#total')) === '1 memories')
  await isShown()
  expect(await menu.locator('[aria-current]').textContent()).toContain('Gallery')
  expect(await page.title()).toBe('Gallery – Mneme')
  const colour = () => inside()?.evaluate<string>('getComputedStyle(document.querySelector("button")).backgroundColor')
  const before = await colour()
  await menu.getByRole('button', { name: /^Colours: system/ }).click()
  await menu.getByRole('button', { name: /^Colours: light/ }).click()
  await until('the page is dark', async () => (await colour()) !== before)
  await page.reload()
  await isShown()
  expect(page.url()).toMatch(/\/console\/w\/[^/]+\/x\/gallery\/$/)
  expect(faults).toEqual([])
})
