import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../test/support/database.ts'
import { preparedStore, run, startServer } from '../test/support/process.ts'
import { fakeModels } from './fake-models.test-support.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const FOLDERS = readdirSync(HERE, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'dist')
  .map(({ name }) => name)
  // Folders that connect programs instead of libraries have tests of their own.
  .filter(name => existsSync(join(HERE, name, 'index.ts')))
const ADAPTER_LINES_MAX = 150
const CALL_NO_MODEL = new Set(['langchain', 'langgraph', 'llamaindex'])

test('each adapter is a package of one compiled module, and at most 150 lines', async () => {
  expect(FOLDERS.length).toBeGreaterThan(2)
  for (const folder of FOLDERS) {
    const lines = readFileSync(join(HERE, folder, 'index.ts'), 'utf8')
      .trimEnd()
      .split('\n').length
    expect([folder, lines <= ADAPTER_LINES_MAX]).toEqual([folder, true])
    const packed = await temporaryFolder()
    execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: join(HERE, folder) })
    const [tarball = ''] = readdirSync(packed)
    const files = execFileSync('tar', ['-tzf', join(packed, tarball)], { encoding: 'utf8' })
    expect(
      files
        .trim()
        .split('\n')
        .filter(path => !/README/.test(path))
        .toSorted(),
    ).toEqual(['package/dist/index.d.ts', 'package/dist/index.js', 'package/package.json'])
  }
})

test('each example does what it says', async () => {
  const server = await startServer(await preparedStore())
  const { environment } = await fakeModels('Try the market hall.')
  const settings = { ...environment, MNEME_URL: server.url, MNEME_API_KEY: server.apiKey }
  for (const folder of FOLDERS) {
    const example = run(`integrations/${folder}/example.ts`, settings, 'bun')
    const ended = await example.ended
    expect([folder, example.stderr(), ended]).toEqual([folder, expect.any(String), 0])
    expect(example.stdout()).toMatch(CALL_NO_MODEL.has(folder) ? /Ada prefers TypeScript/ : /Try the market hall\./)
  }
})
