import { beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../test/support/database.ts'
import { preparedStore, type ServerProcess, startServer } from '../../test/support/process.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Debian's own, for which its packages are installed; another one may come first in the path. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3'
const NEEDED = ['httpx', 'build', 'hatchling']

let server: ServerProcess
let wheel: string

function python(words: string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...environment }
  return spawnSync(PYTHON, words, { cwd: HERE, encoding: 'utf8', env })
}

beforeAll(async () => {
  const missing = NEEDED.filter(name => python(['-c', `import ${name}`]).status !== 0)
  if (missing.length > 0) {
    const packages = missing.map(name => `python3-${name}`).join(' ')
    throw new Error(
      `${PYTHON} lacks ${missing.join(', ')}: install Debian's ${packages}, or name another Python in PYTHON`,
    )
  }
  const folder = await temporaryFolder()
  // The build writes beside the sources, which other tests read.
  const sources = join(folder, 'sources')
  cpSync(HERE, sources, { recursive: true })
  const built = python([
    '-m',
    'build',
    '--wheel',
    '--no-isolation',
    '--skip-dependency-check',
    '--outdir',
    folder,
    sources,
  ])
  expect([built.stdout, built.stderr, built.status]).toEqual([expect.any(String), expect.any(String), 0])
  wheel = join(folder, readdirSync(folder).find(name => name.endsWith('.whl')) ?? '')
  server = await startServer(await preparedStore())
})

test('the built Python client does what its tests say', () => {
  const environment = { PYTHONPATH: wheel, MNEME_URL: server.url, MNEME_API_KEY: server.apiKey }
  const { stderr, status } = python(['tests/test_client.py'], environment)
  expect(stderr).toMatch(/^Ran 12 tests/m)
  expect([stderr, status]).toEqual([expect.stringMatching(/\nOK\n$/), 0])
})

test('the sources have no syntax that is newer than Python 3.10', () => {
  const script = `
import ast, pathlib
for path in pathlib.Path("src").rglob("*.py"):
    ast.parse(path.read_text(), str(path), feature_version=(3, 10))`
  expect(python(['-c', script]).stderr).toBe('')
})
