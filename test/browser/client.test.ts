import { beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage } from '../support/browser.ts'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { serveHttp } from '../support/http-server.ts'
import { preparedStore, startServer } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = '<!doctype html><title>A page elsewhere</title><link rel="icon" href="data:,">'

let modules: string

beforeAll(async () => {
  modules = await temporaryFolder()
  const words = ['--project', 'clients/typescript/tsconfig.json', '--outDir', modules]
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), words, { cwd: ROOT })
})

/** A site of another origin than the service's, which serves the client's modules as they are. */
async function otherSite() {
  const site = await serveHttp(async ({ url }) => {
    const { pathname } = new URL(url)
    if (!pathname.endsWith('.js')) return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
    const code = await readFile(join(modules, pathname), 'utf8')
    return new Response(code, { headers: { 'content-type': 'text/javascript' } })
  })
  onEnd(async () => site.close())
  return site
}

/** It runs in the page, where nothing of this file is known. */
const PROGRAM = `async ({ url, key }) => {
  const { Mneme, MemoryNotFoundError } = await import('/index.js')
  const mneme = new Mneme({ url, key, retries: 0 })
  const stored = await mneme.remember('Ada reads her mail in a browser.', { user_id: 'browser' })
  await mneme.waitUntilCompleted(stored)
  const job = await mneme.ingest(new File(['# Tea\\n\\nAda drinks green tea.'], 'tea.md'), { user_id: 'browser' })
  const missing = await mneme.get(job.id).catch(error => [error instanceof MemoryNotFoundError, typeof error.requestId])
  await mneme.update(stored.id, { memory: 'Ada reads her mail on paper.' })
  return [await mneme.recall('What does Ada read?', { user_id: 'browser' }), job.file_name, missing]
}`

test('a page of an origin that CORS_ORIGINS names stores, recalls, uploads and reads refusals', async () => {
  const site = await otherSite()
  const server = await startServer({ ...(await preparedStore()), CORS_ORIGINS: site.origin })
  const { page, faults } = await openPage(site.origin)
  await page.goto('/')
  const input = JSON.stringify({ url: server.url, key: server.apiKey })
  const seen = await page.evaluate(`(${PROGRAM})(${input})`)
  expect(seen).toEqual([expect.stringContaining('Ada reads her mail'), 'tea.md', [true, 'string']])
  const other = await otherSite()
  await page.goto(other.origin)
  expect(await page.evaluate(`(${PROGRAM})(${input}).catch(error => error.code)`)).toBe('UNREACHABLE')
  expect(faults).toEqual([])
})
