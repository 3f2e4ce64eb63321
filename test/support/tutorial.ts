import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryFolder } from './database.ts'
import { denoPath } from './process.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Writes the plugin of the tutorial in docs/plugins.md into a folder, file by file as the page has them. */
export async function writeTutorial(folder: string): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/plugins.md'), 'utf8')
  const files = [...page.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)]
  for (const [, name = '', text = ''] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

/** Runs a program in a folder. Rejects with its output when it fails. */
export async function runIn(folder: string, program: string, words: readonly string[]): Promise<string> {
  const { HOME = '', TMPDIR = '/tmp', BUN_JSC_useOMGJIT = '1', TEST_DATABASE_URL } = process.env
  const env = {
    PATH: pathWithoutBun(),
    npm_config_offline: 'true',
    HOME,
    TMPDIR,
    BUN_JSC_useOMGJIT,
    NO_COLOR: '1',
    ...(TEST_DATABASE_URL ? { TEST_DATABASE_URL } : {}),
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, { cwd: folder, env, timeout: 240_000 })
    return stdout + stderr
  } catch (error) {
    const said = error instanceof Error ? `${Reflect.get(error, 'stdout')}${Reflect.get(error, 'stderr')}` : ''
    throw new Error(`${program} ${words.join(' ')} failed: ${error}\n${said}`)
  }
}

/** Authors have Node and npm, and Bun only where the page has them install it. */
function pathWithoutBun(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter(folder => !existsSync(join(folder, 'bun'))).join(delimiter)
}

export const npmInstall = (folder: string, ...words: string[]) =>
  runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', ...words])

/**
 * Runs a command of the page, found by its beginning, in a folder. `plugin` is the folder of the tutorial; `words` are added
 * to the command. Packages that it installs are stand-ins which run the programs of this machine, so that nothing is downloaded.
 */
export async function runDocumented(
  folder: string,
  beginning: string,
  { plugin = folder, words = '' }: { readonly plugin?: string; readonly words?: string } = {},
): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/plugins.md'), 'utf8')
  const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'))
  const line = lines.find(each => each.includes(beginning))
  if (line === undefined) throw new Error(`the page has no command with ${beginning}`)
  const bun = `bun@${packageJson.dependencies.bun}`
  const command = line
    .replace(/ +#.*/, '')
    .replaceAll('/path/to/mneme', ROOT.replace(/\/$/, ''))
    .replaceAll('/path/to/attachments', plugin)
    .replace(` ${bun}`, ` ${await standIn('bun', 'bun', process.execPath)}`)
    .replace(' typescript', ` ${await standIn('typescript', 'tsc', TSC)}`)
  return runIn(folder, 'sh', ['-c', `${command} ${words}`])
}

/** Makes a package of a name whose only program runs another one. */
async function standIn(name: string, program: string, path: string): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', bin: { [program]: 'run.sh' } }),
  )
  await writeFile(join(folder, 'run.sh'), `#!/bin/sh\nexec "${path}" "$@"\n`, { mode: 0o755 })
  return folder
}

const TSC = join(ROOT, 'node_modules/.bin/tsc')

export const denoTest = (folder: string) => runIn(folder, denoPath(), ['test', '-A', '--no-check'])
export const typeCheck = (folder: string) => runIn(folder, TSC, ['--noEmit'])
