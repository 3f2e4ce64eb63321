// Follows the README's first steps in a fresh copy of the code: starts the server, waits until it is ready, stores a memory with the
// key it printed, finds it by meaning, stops the server with SIGTERM and wants it to end with 0. Then it looks at how much was installed,
// and has another user start it from the same folder. At last it makes the npm package, and does the same with it in an empty folder. Needs
// nothing but Node.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const INSTALLED_MB_MAX = 500
/** On Debian, `nobody` is the user and the group of this number. */
const NOBODY = 65534

const folder = mkdtempSync(join(tmpdir(), 'mneme-start-'))
const code = join(folder, "Mneme's code")
let server

try {
  const left = new Set(['node_modules', '.git', '.data', '.env'])
  cpSync('.', code, { recursive: true, filter: path => !left.has(relative('.', path)) })
  await remembers('npx', ['--yes', 'bun', 'run', 'server'], process.env)
  const megabytes = Number.parseInt(execFileSync('du', ['-sm', 'node_modules'], { cwd: code, encoding: 'utf8' }), 10)
  console.log(`${megabytes} MB of packages`)
  if (megabytes > INSTALLED_MB_MAX) throw new Error(`more than ${INSTALLED_MB_MAX} MB of packages were installed`)
  if (process.getuid() === 0) await remembersAsAnother()
  await remembersFromPackage()
} catch (error) {
  console.error(error.message)
  console.error(server?.stdout.replace(/mn_live_\w+|(?<=password +)\S+/g, '…'))
  console.error(server?.stderr)
  process.exitCode = 1
} finally {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The packages belong to another user, and so does the code: nothing is installed or written there. */
async function remembersAsAnother() {
  const home = join(folder, 'another')
  mkdirSync(home)
  chownSync(home, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  const bun = [join(code, 'node_modules/.bin/bun'), 'run', 'server']
  const as = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  await remembers('setpriv', [...as, ...bun], { PATH: process.env.PATH, HOME: home })
}

/** The package brings its own Bun and the service's packages: nothing of this code and no Bun is within its reach. */
async function remembersFromPackage() {
  const home = join(folder, 'home')
  const empty = join(folder, 'empty')
  for (const made of [home, empty]) mkdirSync(made)
  const pack = [join(code, 'deploy/npm/pack.mjs'), folder]
  const tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim()
  const mneme = ['--yes', '--package', tarball, 'mneme']
  const environment = {
    ...process.env,
    HOME: home,
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
  }
  await remembers('npx', mneme, environment, empty, async (base, key) => {
    writeFileSync(join(empty, 'note.md'), 'Grace Hopper collects stamps.')
    const env = { ...environment, MNEME_URL: base, MNEME_API_KEY: key }
    const said = execFileSync('npx', [...mneme, 'import', 'note.md'], { cwd: empty, env, encoding: 'utf8' })
    if (!said.includes('1 memories')) throw new Error(`importing a note said ${said}`)
  })
  const [driver, patched] = [join(home, '.npm'), code].map(where => {
    const found = execFileSync('find', [where, '-path', '*/postgres/src/connection.js'], { encoding: 'utf8' }).split(
      '\n',
    )[0]
    return readFileSync(found, 'utf8')
  })
  if (driver !== patched) throw new Error('the package runs another driver than the patched one')
  execFileSync('npx', [...mneme, 'doctor'], { cwd: empty, env: environment })
  console.log('the package did the same in an empty folder, imported a note, and found no faults')
}

async function remembers(command, words, environment, where = code, more = undefined) {
  const port = await freePort()
  const data = where === code ? join(folder, command === 'npx' ? 'data' : 'another/data') : join(where, '.data')
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  server = startProcess(command, words, { ...environment, PORT: String(port), DATA_DIR: data }, where)
  await until('the server is ready', 240, async () => (await fetch(`${base}/ready`)).ok)
  console.log(`${command}: ready after ${Math.round(performance.now() - began)} ms`)
  const complaint = /^npm warn .*config.*$/m.exec(server.stderr)?.[0]
  if (complaint && where === code) throw new Error(`npm does not like the project's configuration: ${complaint}`)
  const key = /mn_live_[0-9A-Za-z]+/.exec(server.stdout)?.[0]
  if (!key) throw new Error('no key was printed')
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ memory: 'Ada prefers green tea over coffee in the morning.' })
  const created = await fetch(`${base}/v1/memories`, { method: 'POST', headers, body })
  if (created.status !== 201) throw new Error(`creating a memory answered ${created.status}`)
  await until('the memory is found by its meaning', 120, async () => {
    const found = await fetch(`${base}/v1/memories?mode=semantic&search=what+does+she+drink`, { headers })
    return (await found.text()).includes('green tea')
  })
  await more?.(base, key)
  server.process.kill('SIGTERM')
  const ending = await Promise.race([
    server.ended,
    new Promise(resolve => setTimeout(resolve, 15_000, 'no end').unref()),
  ])
  // Without the code's own configuration, npx ends by the signal itself, and the service with it.
  if (ending !== 0 && (where === code || !['SIGTERM', 143].includes(ending)))
    throw new Error(`after SIGTERM it ended with ${ending}`)
  console.log('started, stored, found and stopped')
}

function startProcess(command, words, env, cwd) {
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const started = {
    process: child,
    stdout: '',
    stderr: '',
    ended: new Promise(resolve => child.on('close', (code, signal) => resolve(code ?? signal))),
    kill() {
      const last = lastDescendant(child.pid)
      if (last !== child.pid) process.kill(last, 'SIGKILL')
    },
  }
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', chunk => {
      started[stream] += chunk
    })
  }
  return started
}

async function until(what, seconds, condition) {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; ) {
    if (await condition().catch(() => false)) return
    const { exitCode } = server.process
    if (exitCode !== null) throw new Error(`the server ended with ${exitCode}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`waited ${seconds} s in vain until ${what}`)
}

/** The process at the end of the chain npx, shell, bun run, server. */
function lastDescendant(pid) {
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => parentOf(name) === pid)
  return children.length === 0 ? pid : lastDescendant(Number(children[0]))
}

function parentOf(pid) {
  try {
    // The name of the program stands in parentheses and may hold anything.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .split(' ')[0],
    )
  } catch {
    return undefined
  }
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
