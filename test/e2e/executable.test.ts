import { beforeAll, expect, test } from 'bun:test'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Mneme } from '@mneme/client'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUNTIME = join(ROOT, `node_modules/onnxruntime-node/bin/napi-v6/linux/${process.arch}`)

let home: string
let executable: string

beforeAll(async () => {
  home = await temporaryFolder()
  executable = join(home, 'mneme')
  execFileSync(process.execPath, [join(ROOT, 'deploy/executable/build.mjs'), executable], { cwd: home, stdio: 'pipe' })
})

/** A root of a file system with the executable, the C and C++ libraries of Linux, and nothing else. */
async function emptyRoot(): Promise<string> {
  const root = await temporaryFolder()
  for (const name of ['proc', 'tmp', 'home']) mkdirSync(join(root, name))
  const libraries = readdirSync(RUNTIME).map(name => join(RUNTIME, name))
  const needed = execFileSync('ldd', [executable, ...libraries], { encoding: 'utf8' })
  for (const [path] of needed.matchAll(/(?<=\s)\/(usr\/)?lib\w*\/\S+/g)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
  copyFileSync(executable, join(root, 'mneme'))
  return root
}

/** Starts it with that root, as a process that sees no other, on the network of this machine. */
function startIn(root: string) {
  const inside = `mount -t proc proc ${root}/proc && cd ${root} && exec chroot ${root} /mneme`
  const words = ['--map-root-user', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside]
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/home', PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn('unshare', words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  const ended = new Promise(resolve => child.on('close', resolve))
  const end = (signal: NodeJS.Signals) => child.exitCode === null && child.pid && process.kill(-child.pid, signal)
  onEnd(async () => void end('SIGKILL'))
  return { said: () => said, ended, end }
}

const listening = (service: ReturnType<typeof startIn>) =>
  until('it listens', async () => /Mneme listens on (\S+)/.exec(service.said())?.[1], 150_000)

test('it stores and finds in a root where nothing else is, also after another start', async () => {
  const root = await emptyRoot()
  const first = startIn(root)
  const url = await listening(first)
  const key = /mn_live_\w+/.exec(first.said())?.[0] ?? ''
  // The model's own library runs, not the WebAssembly that stands in for it.
  expect(first.said()).toContain('embedder   local/all-MiniLM-L6-v2-int8')
  const mneme = new Mneme({ url, key })
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Grace walks the dog every morning.', user_id: 'grace' }))
  const find = async (at: Mneme) =>
    (await at.search('Which pet goes out?', { user_id: 'grace', mode: 'semantic' })).data
  expect((await find(mneme)).map(({ memory }) => memory)).toEqual(['Grace walks the dog every morning.'])
  for (const path of ['/console/', '/docs', '/openapi.json']) expect((await fetch(`${url}${path}`)).status).toBe(200)
  first.end('SIGTERM')
  await first.ended
  const second = startIn(root)
  const again = new Mneme({ url: await listening(second), key })
  expect((await find(again)).length).toBe(1)
  second.end('SIGTERM')
  await second.ended
  expect(readdirSync(root).toSorted()).toEqual(expect.arrayContaining(['.data', 'home', 'mneme']))
})

test('its other words are the commands of clients and operators', async () => {
  const env = { PATH: '', HOME: home, MNEME_URL: 'http://127.0.0.1:9', MNEME_API_KEY: 'mn_live_none' }
  const mneme = (...words: string[]) => spawnSync(executable, words, { cwd: home, env, encoding: 'utf8' })
  expect(mneme('--help').stdout).toContain('mneme doctor')
  expect(mneme('import', '--help').stdout).toContain('mneme import')
  expect(mneme('export', '--nonsense').status).toBe(2)
  expect(mneme('doctor', 'nonsense').status).toBe(2)
  writeFileSync(join(home, 'note.md'), 'Grace collects stamps.')
  expect(mneme('import', 'note.md').status).not.toBe(0)
  // An unpacked program that was lost comes back.
  rmSync(join(home, '.cache/mneme'), { recursive: true })
  expect(mneme('doctor', '--help').status).toBe(0)
})
