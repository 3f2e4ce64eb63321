import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { preparedStore, type ServerProcess, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3'
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const GUIDE = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8')

let server: ServerProcess

beforeAll(async () => {
  server = await startServer(await preparedStore())
})

/** Finds a document's blocks of a language, aimed at this test's server. */
function blocks(language: string, document = README): string[] {
  return [...document.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(match =>
    String(match[1]).replace(/(?:http:\/\/)?(?:localhost|127\.0\.0\.1):3000/g, server.url),
  )
}

function run(command: string, args: string[]): string {
  const { PATH = '' } = process.env
  const { stdout, stderr, status } = spawnSync(command, args, {
    encoding: 'utf8',
    env: {
      PATH,
      KEY: server.apiKey,
      MNEME_API_KEY: server.apiKey,
      MNEME_URL: server.url,
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  expect([stderr, status]).toEqual(['', 0])
  return stdout
}

test('the quick start in curl stores a memory and finds it', async () => {
  const script = blocks('sh').find(block => block.includes('curl')) ?? ''
  expect(script).toContain('/v1/memories')
  const [created = '', ...rest] = script.split(/\n(?=curl)/)
  expect(run('sh', ['-c', created])).toContain('"id"')
  expect(rest.join('\n')).toContain('/v1/context')
  await until('the memory is recalled', async () => run('sh', ['-c', rest.join('\n')]).includes('Lisbon'))
})

test('the quick starts in TypeScript and in Python recall it too', async () => {
  await mkdir(join(ROOT, 'tmp'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, 'tmp/readme-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  const [program = ''] = blocks('ts')
  // The name of the package leads to its source for a file that lies in this repository.
  await writeFile(join(folder, 'program.ts'), program)
  const [script = ''] = blocks('python')
  for (const shown of [program, script]) expect(shown.trim().split('\n').length).toBeLessThanOrEqual(4)
  expect(run(process.execPath, [join(folder, 'program.ts')])).toContain('Ada prefers TypeScript')
  expect(run(PYTHON, ['-c', script])).toContain('Ada prefers TypeScript')
})

test("the guide's commands make a workspace, and a key of it", async () => {
  const script = blocks('sh', GUIDE).find(block => block.includes('/v1/api-keys')) ?? ''
  const jar = join(await temporaryFolder(), 'session')
  const own = script
    .replaceAll(/-s([bc]) session/g, `-s$1 ${jar}`)
    .replace('"password": "…"', `"password": "${server.password}"`)
  const [signIn = '', makeWorkspace = '', makeKey = ''] = own.split(/\n(?=curl)/)
  expect(run('sh', ['-c', signIn])).toContain(server.email)
  const workspace = JSON.parse(run('sh', ['-c', makeWorkspace]))
  expect(workspace).toMatchObject({ name: 'Acme', plan: 'pro' })
  const made = JSON.parse(run('sh', ['-c', makeKey.replace(/"7373d1e5-…"/, `"${workspace.id}"`)]))
  expect(made).toMatchObject({ workspace_id: workspace.id, permissions: ['memory.read', 'memory.write'] })
  expect((await server.client(made.key).get('/v1/memories')).status).toBe(200)
})

test("the guide's instructions for an agent that runs commands store and search", async () => {
  const [, search = '', store = ''] =
    /(curl -sG[\s\S]*?)\nWhen[\s\S]*?(curl -s [\s\S]*)/.exec(blocks('text', GUIDE).join('')) ?? []
  expect(JSON.parse(run('sh', ['-c', store.replace('THE SENTENCE', 'The build needs Node 22.')])).user_id).toBe('me')
  const query = search.replace('WHAT YOU WANT TO KNOW', 'which Node does the build need')
  await until('it is found', async () => run('sh', ['-c', query]).includes('Node 22'))
})

afterAll(async () => {
  expect(await server.stop()).toBe(0)
})
