import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGE } from './entries.ts'

/**
 * Sees to the packages, before anything that needs them is loaded:
 *
 *   bun server/packages.ts [options of bun install]   what runs
 *   bun server/packages.ts --developer                what tests and checks need, too
 *
 * Where they are as the lock file says, nothing is looked up on the network, as `bun install` would, and nothing is written.
 */
const DEVELOPER = '--developer'
const ROOT = dirname(fileURLToPath(PACKAGE))
const PACKAGES = join(ROOT, 'node_modules')
const RUNTIME = join(PACKAGES, 'onnxruntime-node')
/** Tells what the last install was, as {@link Installed}. */
const RECORD = join(PACKAGES, '.mneme-packages.json')
/** Postgres has files that end in `.map` as well. */
const SOURCE_MAP = /\.([cm]?[jt]s|css)\.map$/

interface Installed {
  readonly lock: string
  readonly platform: string
  readonly developer: boolean
}

process.exitCode = main(process.argv.slice(2))

function main(words: readonly string[]): number {
  // Whoever may write them installed them, and keeps them as they should be.
  if (existsSync(PACKAGES) && !isWritable(PACKAGES)) return 0
  if (!existsSync(PACKAGES) && !isWritable(ROOT)) {
    process.stderr.write(
      `The packages are not installed, and ${ROOT} belongs to another user, who has to start it once.\n`,
    )
    return 1
  }
  const former = readRecord()
  const wanted: Installed = {
    lock: lockHash(),
    platform: `${process.platform}-${process.arch}`,
    // A developer's packages stay, whatever is started in between.
    developer: words.includes(DEVELOPER) || former?.developer === true,
  }
  if (JSON.stringify(former) === JSON.stringify(wanted)) return 0
  const code = install(
    wanted.developer,
    words.filter(word => word !== DEVELOPER),
  )
  if (code !== 0) return code
  dropUnused()
  writeFileSync(RECORD, JSON.stringify(wanted))
  return 0
}

function install(developer: boolean, options: readonly string[]): number {
  // A folder that another kind of machine has used lacks the part for this one, which comes back only with the whole package.
  if (!existsSync(runtimeOf(process.platform, process.arch))) rmSync(RUNTIME, { recursive: true, force: true })
  if (process.stderr.isTTY) process.stderr.write('Installing packages, some 450 MB. This is done once.\n')
  const production = developer ? [] : ['--production']
  // In a terminal it shows how far it is.
  const flags = ['install', '--frozen-lockfile', '--no-summary', ...production, ...options]
  return spawnSync(process.execPath, flags, { cwd: ROOT, stdio: ['ignore', 2, 2] }).status ?? 1
}

/** Removes a third of what was installed: the model's runtime for other machines, source maps, and a library that draws pages. */
function dropUnused(): void {
  for (const platform of foldersIn(RUNTIME, 'bin', 'napi-v6')) {
    for (const arch of foldersIn(RUNTIME, 'bin', 'napi-v6', platform)) {
      const isOurs = platform === process.platform && arch === process.arch
      if (!isOurs) rmSync(runtimeOf(platform, arch), { recursive: true })
    }
  }
  rmSync(join(PACKAGES, '@napi-rs'), { recursive: true, force: true })
  for (const path of readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })) {
    if (SOURCE_MAP.test(path)) rmSync(join(PACKAGES, path))
  }
}

function runtimeOf(platform: string, arch: string): string {
  return join(RUNTIME, 'bin', 'napi-v6', platform, arch)
}

function foldersIn(...parts: string[]): string[] {
  const folder = join(...parts)
  return existsSync(folder) ? readdirSync(folder) : []
}

function lockHash(): string {
  const patches = readdirSync(join(ROOT, 'patches')).toSorted()
  const files = ['bun.lock', ...patches.map(name => join('patches', name))]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function readRecord(): Installed | undefined {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'))
  } catch {
    return undefined
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
