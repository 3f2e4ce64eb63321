/**
 * Makes the npm package that starts the service by `npx mneme`: this code without its tests, and a launcher. It prints the tarball's path.
 *
 *   node deploy/npm/pack.mjs [FOLDER]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PARTS = ['core', 'packages', 'plugins', 'server', 'workers', 'client', 'integrations/agents', 'sql', 'patches']
const FILES = ['package.json', 'bun.lock', 'bunfig.toml', 'LICENSE', 'tsconfig.json', 'tsconfig.plugin.json']
/** The console is bundled here, so that who starts the package needs no bundler. */
const CONSOLE = 'plugins/console'
const BUILDER = 'node_modules/.bin/bun'
const LEFT_OUT =
  /\.(test|test-support|conformance)\.ts$|\/(node_modules|fixtures)(\/|$)|plugins\/console\/(app|built)(\/|$)/

const staged = mkdtempSync(join(tmpdir(), 'mneme-pack-'))
try {
  for (const part of [...PARTS, ...FILES]) {
    const filter = path => !LEFT_OUT.test(path)
    cpSync(join(ROOT, part), join(staged, 'code', part), { recursive: true, filter })
  }
  execFileSync(join(ROOT, BUILDER), [join(ROOT, CONSOLE, 'build.ts'), join(staged, 'code', CONSOLE, 'built')])
  for (const name of ['mneme.mjs', 'README.md']) cpSync(join(ROOT, 'deploy/npm', name), join(staged, name))
  cpSync(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'))
  writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest(), null, 2))
  const destination = resolve(process.argv[2] ?? '.')
  const words = ['pack', '--silent', '--pack-destination', destination]
  const name = execFileSync('npm', words, { cwd: staged, encoding: 'utf8' }).trim()
  console.log(join(destination, name))
} finally {
  rmSync(staged, { recursive: true })
}

/** npm installs Bun alone: the packages of the code come by its own lock file, with the patch that they need and without scripts of theirs. */
function manifest() {
  const { name, version, description, license, exports, engines, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const plugin = Object.entries(exports).filter(([subpath]) => subpath !== './testing')
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { mneme: './mneme.mjs' },
    exports: Object.fromEntries(plugin.map(([subpath, target]) => [subpath, target.replace('./', './code/')])),
    engines: { node: engines.node },
    files: ['code', 'mneme.mjs'],
    dependencies: { bun: dependencies.bun },
  }
}
