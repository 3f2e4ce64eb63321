import { beforeAll, expect, test } from 'bun:test'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { preparedStore } from '../support/process.ts'
import { until } from '../support/wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let home: string
let settings: Record<string, string>

beforeAll(async () => {
  home = await temporaryFolder()
  const pack = [join(ROOT, 'deploy/npm/pack.mjs'), home]
  execFileSync('tar', ['-xzf', execFileSync('node', pack, { encoding: 'utf8' }).trim()], { cwd: home })
  // `.ci/run` installs the packages as the first start does; here those of the checkout stand for them.
  const code = join(home, 'package/code')
  for (const name of readdirSync(join(ROOT, 'node_modules'))) link(name, join(code, 'node_modules'))
  for (const name of ['bun', '@oven']) link(name, join(home, 'package/node_modules'))
  writeFileSync(join(code, 'node_modules/.mneme-packages.json'), '{}')
  settings = { ...(await preparedStore()), LOG_LEVEL: 'error' }
})

function link(name: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const target = join(folder, name)
  if (!existsSync(target)) symlinkSync(join(ROOT, 'node_modules', name), target)
}

function mneme(...words: string[]) {
  const env = { PATH: process.env.PATH, HOME: home, ...settings }
  return spawnSync('node', [join(home, 'package/mneme.mjs'), ...words], { cwd: home, env, encoding: 'utf8' })
}

test('the package starts the service on Node alone, imports by a command, and stops when it is told to', async () => {
  const child = spawn('node', [join(home, 'package/mneme.mjs')], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onEnd(async () => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  const url = await until('it listens', async () => /Mneme listens on (\S+)/.exec(said)?.[1], 120_000)
  settings.MNEME_URL = url
  settings.MNEME_API_KEY = /mn_live_\w+/.exec(said)?.[0] ?? ''
  writeFileSync(join(home, 'note.md'), 'Grace Hopper collects stamps.')
  const imported = mneme('import', 'note.md', '--user', 'grace')
  expect([imported.stderr, imported.status]).toEqual(['', 0])
  expect(imported.stdout).toContain('1 memories of 1 sources')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('its commands are those of clients and operators, each with its exit code', () => {
  expect(mneme('--help').stdout).toMatch(/mneme doctor/)
  expect(mneme('doctor').status).toBe(0)
  expect(mneme('doctor', 'nonsense').status).toBe(2)
  expect(mneme('export', '--nonsense').status).toBe(2)
  expect(mneme('command', '--help').stdout).toContain('memories reprocess')
})

test('it holds no tests, and depends on Bun alone', () => {
  const manifest = JSON.parse(execFileSync('cat', [join(home, 'package/package.json')], { encoding: 'utf8' }))
  expect(Object.keys(manifest.dependencies)).toEqual(['bun'])
  expect([manifest.private, manifest.scripts, manifest.bin]).toEqual([undefined, undefined, { mneme: './mneme.mjs' }])
  const files = readdirSync(join(home, 'package/code'), { recursive: true, encoding: 'utf8' })
  expect(files.filter(path => /^(?!node_modules).*\.test\.ts$/.test(path))).toEqual([])
  expect(existsSync(join(home, 'package', manifest.exports['./plugin']))).toBe(true)
})
