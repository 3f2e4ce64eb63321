import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
  const { PATH = '', HOME = '', TMPDIR = '/tmp', BUN_JSC_useOMGJIT = '1', TEST_DATABASE_URL } = process.env
  const env = {
    PATH,
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

/** An author runs this, as the page says. */
export const npmInstall = (folder: string, ...words: string[]) =>
  runIn(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', ...words])
export const bunTest = (folder: string) => runIn(folder, process.execPath, ['test', '--timeout', '60000'])
export const denoTest = (folder: string) => runIn(folder, denoPath(), ['test', '-A', '--no-check'])
export const typeCheck = (folder: string) => runIn(folder, join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit'])
