/**
 * Makes the npm package that starts the service by `npx mneme`: this code without its tests, and a launcher. It prints the tarball's path.
 *
 *   node deploy/npm/pack.mjs [FOLDER]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, stageCode } from '../stage.mjs'

const staged = mkdtempSync(join(tmpdir(), 'mneme-pack-'))
try {
  stageCode(join(staged, 'code'))
  for (const name of ['mneme.mjs', 'commands.mjs', 'README.md'])
    cpSync(join(ROOT, 'deploy/npm', name), join(staged, name))
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
    files: ['code', 'mneme.mjs', 'commands.mjs'],
    dependencies: { bun: dependencies.bun },
  }
}
