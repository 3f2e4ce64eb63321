/**
 * Writes pictures of every page of the console, in light, dark and as wide as a phone, of a server with some data in it.
 *
 *   bun bench/console-screenshots.ts FOLDER [PAGE…]
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openPage, signIn } from '../test/support/browser.ts'
import type { Client } from '../test/support/client.ts'
import { closeAll, onEnd } from '../test/support/closing.ts'
import { serveHttp } from '../test/support/http-server.ts'
import { emptyStore, startServer } from '../test/support/process.ts'
import { until } from '../test/support/wait.ts'

/** The layout of a graph comes to rest in so long. */
const LAYOUT_MS = 5000

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
] as const

const PEOPLE = ['Ada', 'Bob', 'Grace', 'Linus']
const STATEMENTS = [
  'lives in Lisbon.',
  'works at ASML.',
  'likes green tea.',
  'uses TypeScript at work.',
  'is married to Carla.',
  'keeps bees in the garden.',
  'moved to Porto in May 2026.',
  'prefers answers in short sentences.',
]

const [folder = '', ...wanted] = process.argv.slice(2)
if (folder === '') throw new Error('Name a folder for the pictures.')
await mkdir(folder, { recursive: true })
try {
  const server = await startServer({ ...(await emptyStore()), ALLOW_PRIVATE_NETWORKS: 'true' })
  const { page } = await openPage(server.url)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/console/')
  await signIn(page, server.email, server.password)
  await page.getByRole('navigation', { name: 'Console' }).waitFor()
  await take(page, { start: '' })
  await take(page, await fill(server.client()))
} finally {
  await closeAll()
}

/** Takes a picture of each page in each look. @param places addresses below the console, by the names of their pictures */
async function take(page: Page, places: Readonly<Record<string, string>>): Promise<void> {
  for (const { name: look, colorScheme, width, height } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    for (const [name, place] of Object.entries(places)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      await page.goto(`/console/${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await until('everything is loaded', async () => {
        const waiting = page.locator('[aria-busy=true]').or(page.getByText('Loading …'))
        return (await waiting.count()) === 0
      })
      if (place === 'graph') {
        await page.locator('.graph-canvas[data-state=drawn]').waitFor()
        await new Promise(resolve => setTimeout(resolve, LAYOUT_MS))
      }
      await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: !place.startsWith('graph') })
    }
  }
}

/** Stores what a workspace in use has, also what went wrong. @returns its pages */
async function fill(client: Client): Promise<Record<string, string>> {
  const made = async (path: string, body: object) => (await client.post(path, body)).body
  const receiver = await serveHttp(() => new Response('no route', { status: 500 }))
  onEnd(async () => receiver.close())
  const hook = await made('/v1/webhooks', {
    url: `${receiver.origin}/hooks`,
    events: ['*'],
    description: 'Tells the CRM',
  })
  await made('/v1/webhooks', { url: 'https://example.com/paused', events: ['memory.created'], active: false })
  const memories = PEOPLE.flatMap(name =>
    STATEMENTS.map(told => ({ memory: `${name} ${told}`, user_id: name.toLowerCase() })),
  )
  await made('/v1/memories/batch', { memories })
  const memory = await made('/v1/memories', {
    memory: 'Ada drinks oolong at noon, and keeps the kettle of her grandmother on the stove.',
    user_id: 'ada',
    categories: ['preferences'],
    metadata: { source: 'chat', shelf: 3 },
  })
  await client.put(`/v1/memories/${memory.id}`, {
    memory: 'Ada drinks sencha at noon, and keeps the kettle on the stove.',
  })
  const template = await made('/v1/templates', {
    name: 'Welcome',
    description: 'What is known of a new customer',
    variables: [{ name: 'name', required: true, default: null }],
    memories: [{ memory: '{{name}} bought the starter plan.', categories: ['work_context'] }],
  })
  const form = new FormData()
  form.append('user_id', 'ada')
  form.append('file', new File(['# Tea\n\nAda drinks green tea.\n\n## Kettles\n\nThe kettle is of copper.'], 'tea.md'))
  const job = (await client.request('POST', '/v1/memories/ingest', { raw: form })).body
  await made('/v1/exports', { format: 'JSONL' })
  for (const query of ['Where does Ada live?', 'green tea', 'a zeppelin over the sea'])
    await made('/v1/memories/search', { query })
  const settled = async () => {
    const backlog: Record<string, { waiting: number }> = (await client.get('/v1/dashboard/backlog')).body
    return ['memories', 'graph', 'imports', 'exports'].every(kind => backlog[kind]?.waiting === 0)
  }
  await until('everything is processed', settled)
  await made('/v1/knowledge/compile', { user_id: 'ada' })
  const entries = async () => (await client.get('/v1/knowledge', { query: { user_id: 'ada' } })).body.data
  await until('there is knowledge', async () => (await entries()).length > 0)
  const [entry] = await entries()
  return {
    overview: '',
    memories: 'memories',
    'memories-search': 'memories?search=tea',
    memory: `memories/${memory.id}`,
    graph: 'graph',
    knowledge: 'knowledge?user_id=ada',
    entry: `knowledge/${entry.id}`,
    imports: 'imports',
    import: `imports/${job.id}`,
    playground: 'context?message=What+does+Ada+drink%3F&user_id=ada',
    'playground-modes': 'context?message=What+does+Ada+drink%3F&user_id=ada&part=modes',
    searches: 'searches',
    queries: 'searches?part=queries',
    templates: 'templates',
    template: `templates/${template.id}`,
    'template-edit': `templates/${template.id}?way=edit`,
    webhooks: 'webhooks',
    webhook: `webhooks/${hook.id}`,
    exports: 'transfers',
    'exports-import': 'transfers?way=imports',
    keys: 'keys',
    connections: 'connections',
    members: 'members',
    settings: 'settings',
    account: 'settings?tab=account',
  }
}
