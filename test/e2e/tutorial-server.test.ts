import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../support/client.ts'
import { temporaryFolder } from '../support/database.ts'
import { inlined } from '../support/inlined.ts'
import { preparedStore, type Runtime, type Settings, startServer } from '../support/process.ts'
import { npmInstall, ROOT, runIn, writeTutorial } from '../support/tutorial.ts'
import { until } from '../support/wait.ts'

/** The operator's further plugin shows the menu. */
const MENU = `import { definePlugin, ok, routesOf, Type, visibleConsolePages } from 'mneme/plugin'

export default definePlugin({
  id: 'menu',
  version: '1.0.0',
  apiVersion: 1,
  routes: [
    routesOf()({
      method: 'GET',
      path: '/v1/x/menu/pages',
      access: 'anyKey',
      summary: 'Show the menu',
      responses: { 200: Type.Array(Type.Unknown()) },
      handle: ({ caller, tenant, scope }) => ok(visibleConsolePages(scope, caller, tenant.workspace)),
    }),
  ],
  setup: ({ wiring }) => ({ scope: wiring }),
})
`

/**
 * The plugin lies in its own folder, where nothing is installed, and in one where an operator installed it from an
 * archive.
 */
let plugin: string
let operator: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  plugin = join(folder, 'attachments')
  operator = join(folder, 'operator')
  await writeTutorial(plugin)
  await mkdir(operator)
  await writeFile(join(operator, 'package.json'), '{}')
  await writeFile(join(operator, 'menu.mjs'), MENU)
  await runIn(plugin, 'npm', ['pack', '--silent'])
  const archive = readdirSync(plugin).find(name => name.endsWith('.tgz')) ?? ''
  await npmInstall(operator, join(plugin, archive))
})

async function useIt(settings: Settings, runtime: Runtime, folder: string): Promise<void> {
  const server = await startServer(
    { ...(await preparedStore()), ATTACHMENTS_PER_MEMORY: '1', ...settings },
    runtime,
    folder,
  )
  const client = server.client()
  const memory = (await client.post('/v1/memories', { memory: 'The board met on Monday.' })).body
  const attach = () => {
    const raw = new FormData()
    raw.set('memory_id', memory.id)
    raw.set('name', 'minutes.txt')
    raw.set('file', new Blob(['All agreed, twice.']), 'minutes.txt')
    return client.request('POST', '/v1/x/attachments/files', { raw })
  }
  expect(await attach()).toMatchObject({ status: 201, body: { name: 'minutes.txt', words: null } })
  expect((await attach()).body.error_code).toBe('ATTACHMENTS_TOO_MANY')
  const found = await client.get('/v1/memories', { query: { attachment: 'minutes.txt' } })
  expect(found.body.data).toMatchObject([{ id: memory.id }])
  const { paths } = inlined((await client.get('/openapi.json')).body)
  expect(paths['/v1/x/attachments/files'].post['x-permission']).toBe('attachments.write')
  expect(paths['/v1/memories'].get.parameters.map(({ name }: { name: string }) => name)).toContain('attachment')
  await seePage(client)
  await until('the words are counted', async () => {
    const metrics = (await client.get('/metrics')).body
    return /attempt_duration_seconds_count\{task="attachments:count",outcome="\w+"\} 1/.test(metrics)
  })
  expect(await server.stop()).toBe(0)
}

async function seePage(client: Client): Promise<void> {
  const page = await client.get('/x/attachments/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(page.body) ?? []
  const { status, body } = await client.get(`/x/attachments/${script}`)
  expect([status, body]).toEqual([200, expect.stringContaining('/v1/memories?')])
  expect((await client.get('/v1/x/menu/pages')).body).toContainEqual({
    plugin: 'attachments',
    id: 'attachments',
    title: 'Attachments',
    path: '/x/attachments/',
    icon: 'paperclip',
    order: 50,
  })
}

for (const runtime of ['bun', 'deno'] as const) {
  test(`the plugin of the tutorial runs on ${runtime} from its folder`, async () => {
    await useIt({ PLUGINS: `${join(plugin, 'index.ts')},${join(operator, 'menu.mjs')}` }, runtime, ROOT)
  })

  test(`the plugin of the tutorial runs on ${runtime} as a package`, async () => {
    await useIt({ PLUGINS: 'mneme-plugin-attachments,./menu.mjs' }, runtime, operator)
  })
}
