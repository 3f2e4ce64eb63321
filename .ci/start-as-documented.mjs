// Follows the README's first steps on an empty folder: starts the server, waits until it is ready, stores a memory with the
// key it printed, finds it by meaning, stops the server with SIGTERM and wants it to end with 0. Needs nothing but Node.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'mneme-start-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const started = performance.now()
const npx = spawn('npx', ['bun', 'run', 'server'], {
  env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'pipe'],
})
const said = { stdout: '', stderr: '' }
for (const stream of ['stdout', 'stderr']) {
  npx[stream].on('data', chunk => {
    said[stream] += chunk
  })
}
const ended = new Promise(resolve => npx.on('close', (code, signal) => resolve(code ?? signal)))

try {
  await until('the server is ready', 240, async () => (await fetch(`${base}/ready`)).ok)
  console.log(`ready after ${Math.round(performance.now() - started)} ms, packages included`)
  const complaint = /^npm warn .*config.*$/m.exec(said.stderr)?.[0]
  if (complaint) throw new Error(`npm does not like the project's configuration: ${complaint}`)
  const key = /mn_live_[0-9A-Za-z]+/.exec(said.stdout)?.[0]
  if (!key) throw new Error('no key was printed')
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ memory: 'Ada prefers green tea over coffee in the morning.' })
  const created = await fetch(`${base}/v1/memories`, { method: 'POST', headers, body })
  if (created.status !== 201) throw new Error(`creating a memory answered ${created.status}`)
  await until('the memory is found by its meaning', 120, async () => {
    const found = await fetch(`${base}/v1/memories?mode=semantic&search=what+does+she+drink`, { headers })
    return (await found.text()).includes('green tea')
  })
  npx.kill('SIGTERM')
  const code = await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 15_000, 'no end').unref())])
  if (code !== 0) throw new Error(`after SIGTERM it ended with ${code}`)
  console.log('started, stored, found and stopped')
} catch (error) {
  console.error(error.message)
  console.error(said.stdout.replace(/mn_live_\w+|(?<=password +)\S+/g, '…'))
  console.error(said.stderr)
  process.exitCode = 1
} finally {
  const last = lastDescendant(npx.pid)
  if (last !== npx.pid) process.kill(last, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function until(what, seconds, condition) {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; ) {
    if (await condition().catch(() => false)) return
    if (npx.exitCode !== null) throw new Error(`the server ended with ${npx.exitCode}`)
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
