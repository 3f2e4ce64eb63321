import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))
export const BUN = join(ROOT, 'node_modules/.bin/bun')

const PARTS = ['core', 'packages', 'plugins', 'server', 'workers', 'client', 'integrations/agents', 'sql', 'patches']
const FILES = ['package.json', 'bun.lock', 'bunfig.toml', 'LICENSE', 'tsconfig.json', 'tsconfig.plugin.json']
/** The console is bundled here, so that who starts the code needs no bundler. */
const CONSOLE = 'plugins/console'
const LEFT_OUT =
  /\.(test|test-support|conformance)\.ts$|\/(node_modules|fixtures)(\/|$)|plugins\/console\/(app|built)(\/|$)/

/** Copies the code that runs, without its tests, into a folder. */
export function stageCode(folder) {
  for (const part of [...PARTS, ...FILES]) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: path => !LEFT_OUT.test(path) })
  }
  execFileSync(BUN, [join(ROOT, CONSOLE, 'build.ts'), join(folder, CONSOLE, 'built')])
}
