#!/usr/bin/env node
// Starts the service or a command of it with the Bun that this package depends on, from any folder. It needs Node alone.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asksForUsage, entryOf, USAGE } from './commands.mjs'

const CODE = join(dirname(fileURLToPath(import.meta.url)), 'code')
/** A launcher of a few bytes stands here until the package's own script has put the binary in its place. */
const BINARY_BYTES_MIN = 1_000_000

const words = process.argv.slice(2)
if (asksForUsage(words)) {
  console.log(USAGE)
} else {
  process.exitCode = installPackages() || (await run(entryOf(words)))
}

/** The service's packages come once, on the first start, by its own lock file, which names a patch of one of them. */
function installPackages() {
  if (existsSync(join(CODE, 'node_modules/.mneme-packages.json'))) return 0
  return (
    spawnSync(bun(), [join(CODE, 'server/packages.ts')], { stdio: ['ignore', 2, 2], env: environment() }).status ?? 1
  )
}

function run([entry, ...rest]) {
  const child = spawn(bun(), [join(CODE, entry), ...rest], { stdio: 'inherit', env: environment() })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal gives a Ctrl-C to both.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  }
  // npx passes signals to its shell, which may end by one without passing it on.
  const parent = process.ppid
  const isOrphaned = () => process.env.npm_command === 'exec' && process.ppid !== parent
  const watch = setInterval(() => isOrphaned() && child.kill('SIGTERM'), 500)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(watch)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

function environment() {
  return { ...process.env, BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' }
}

function bun() {
  const home = dirname(createRequire(import.meta.url).resolve('bun/package.json'))
  const binary = join(home, 'bin/bun.exe')
  if (existsSync(binary) && statSync(binary).size > BINARY_BYTES_MIN) return binary
  // npm was told to run no scripts.
  const others = join(home, '../@oven')
  for (const name of existsSync(others) ? readdirSync(others) : []) {
    const found = ['bun', 'bun.exe'].map(file => join(others, name, 'bin', file)).find(existsSync)
    if (found) return found
  }
  throw new Error(`there is no Bun for this machine in ${home}`)
}
