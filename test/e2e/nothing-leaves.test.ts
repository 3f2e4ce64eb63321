import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '../support/client.ts'
import { until } from '../support/wait.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CALLS = 'network,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat'

const WAYS = [
  { words: ['node_modules/.bin/bun', 'run', 'server'] },
  { words: ['node_modules/.bin/deno', 'task', 'server'] },
] as const

// Deno keeps compiled sources in DENO_DIR, which is in the user's home unless it is set. The libraries that report to their vendors are silent where CI is set, so this environment has nothing of the runner's.
describe.each(WAYS)('a service that was started by `$words.1 $words.2`, stores, finds and stops', ({ words }) => {
  let folder = ''
  let calls: readonly string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mneme-traced-'))
    for (const name of ['home', 'tmp', 'trace']) await mkdir(join(folder, name))
    calls = await callsOf(words, folder)
  }, 180_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('looks up no name and reaches no address but its own machine', () => {
    const addresses = calls.flatMap(call => [...call.matchAll(/inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/g)])
    expect(addresses.length).toBeGreaterThan(0)
    const others = addresses.map(([, address = '']) => address).filter(address => !/^(127\.|::1$)/.test(address))
    expect(others).toEqual([])
    expect(calls.filter(call => call.includes('htons(53)'))).toEqual([])
  })

  test('writes nothing outside of DATA_DIR', () => {
    const written = calls.flatMap(writtenBy)
    const allowed = [join(folder, 'data'), join(folder, 'deno'), '/dev', '/proc']
    expect(written.some(path => path.startsWith(join(folder, 'data')))).toBe(true)
    expect(written.filter(path => !allowed.some(parent => isIn(path, parent)))).toEqual([])
  })
})

/** Runs a service under strace and returns the system calls of all its processes and threads. */
async function callsOf(words: readonly string[], folder: string): Promise<string[]> {
  // The packages are there, as after a first start.
  spawnSync('node_modules/.bin/bun', ['server/packages.ts', '--developer'], { cwd: ROOT, stdio: 'inherit' })
  const trace = join(folder, 'trace')
  const data = join(folder, 'data')
  const own = {
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    DENO_DIR: join(folder, 'deno'),
    DATA_DIR: data,
  }
  const flags = ['-ff', '-qq', '-y', '--seccomp-bpf', '-e', `trace=${CALLS}`, '-o', join(trace, 'of')]
  const child = spawn('strace', [...flags, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      said += chunk
    })
  }
  const ended = new Promise<void>((done, failed) => child.on('error', failed).on('close', () => done()))
  const printed = (pattern: RegExp) =>
    until(
      `${pattern} in what it says`,
      async () => {
        if (child.exitCode !== null) throw new Error(`it ended: ${said}`)
        return pattern.exec(said)?.[1]
      },
      150_000,
    )
  const key = await printed(/API key +(\S+)/)
  const client = new Client(request => fetch(request), { 'x-api-key': key }, await printed(/listens on (\S+)/))
  const server = Number.parseInt(await readFile(join(data, 'postgres', 'lock.holder'), 'utf8'), 10)
  try {
    await client.post('/v1/memories', { memory: 'Emmy plays chess on Thursdays.' })
    const query = { search: 'board games during the week', mode: 'semantic' }
    await until('it is found by meaning', async () => (await client.get('/v1/memories', { query })).body.data[0]?.id)
  } finally {
    process.kill(server, 'SIGTERM')
    await ended
  }
  const files = await readdir(trace)
  const lines = await Promise.all(files.map(async name => (await readFile(join(trace, name), 'utf8')).split('\n')))
  return lines.flat()
}

/** Returns what a call made or opened to write, if it succeeded. */
function writtenBy(call: string): string[] {
  if (/ = -1 /.test(call)) return []
  if (/^(open|openat|creat)\(/.test(call)) {
    return /O_(WRONLY|RDWR|CREAT)|^creat/.test(call) ? [/ = \d+<(.*)>$/.exec(call)?.[1] ?? call] : []
  }
  if (!/^(mkdir|rename|link|symlink)/.test(call)) return []
  const named = [...call.matchAll(/(?:<([^>]*)>, )?"([^"]*)"/g)].map(([, at = ROOT, path = '']) => resolve(at, path))
  // The last one is what is made.
  return named.slice(-1)
}

function isIn(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
