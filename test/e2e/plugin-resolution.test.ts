import { describe, expect, test } from 'bun:test'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/database.ts'
import { emptyStore, type Runtime, run, runToEnd, startServer } from '../support/process.ts'

const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/**
 * This plugin needs the very modules of the server: an error is known by its class, a port and a contract by what is
 * bound.
 */
function sourceOf(id: string, typebox = 'mneme/plugin'): string {
  return `
import { Type } from '${typebox}'
import { definePlugin, failWith, ok, routesOf, text } from 'mneme/plugin'
import { memoryReader } from 'mneme/plugin/memories'

const errors = { ${id.toUpperCase()}_REFUSED: { status: 422, message: 'No.' } }

export default definePlugin({
  id: '${id}',
  version: '1.0.0',
  apiVersion: 1,
  requires: ['memories'],
  errors,
  routes: [
    routesOf()({
      method: 'POST',
      path: '/v1/x/${id}/try',
      access: 'anyKey',
      summary: 'Try what the plugin imports',
      body: Type.Object({ words: text({ maxLength: 5 }), refuse: Type.Optional(Type.Boolean()) }),
      responses: { 200: Type.Object({ reads: Type.Boolean(), same: Type.Boolean(), words: Type.String() }) },
      errors: ['${id.toUpperCase()}_REFUSED'],
      async handle({ body, scope }) {
        if (body.refuse) throw failWith(errors)('${id.toUpperCase()}_REFUSED')
        const later = await import('mneme/plugin')
        const reader = scope.wiring.use(memoryReader)
        return ok({ reads: 'records' in reader, same: later.failWith === failWith, words: body.words })
      },
    }),
  ],
  setup: ({ wiring }) => ({ scope: { wiring } }),
})
`
}

/** The same plugin in TypeScript, in two files and with more than type annotations. */
function typedSourceOf(id: string): string {
  const types = `import { type Kind, kind } from './kind.ts'\nenum Level { Low = 1 }\nexport const level: Kind = kind(Level.Low)\n`
  return (
    types +
    sourceOf(id)
      .replace('routesOf()', 'routesOf<{ wiring: Wiring }>()')
      .replace('import { definePlugin', 'import { type Wiring, definePlugin')
  )
}

const KIND = `export type Kind = { readonly level: number }\nexport const kind = (level: number): Kind => ({ level })\n`

/** Deno took JSON that a CommonJS package requires for JavaScript as soon as a plugin was loaded, in packages of Mneme as well. */
const READS_JSON = `
import required from 'flavours'
import imported from './data.json' with { type: 'json' }
if (required.flavour !== imported.flavour) throw new Error('JSON is not what it was')
`

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

const manifest = (name: string, exports: unknown) => JSON.stringify({ name, version: '1.0.0', type: 'module', exports })

/**
 * Makes a working folder with two packages, one of which brings packages of its own: TypeBox, and another release of
 * Mneme.
 */
async function workingFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const inPackages = (path: string) => join(folder, 'node_modules', path)
  const own = inPackages('mneme-plugin-own/node_modules')
  await write({
    [inPackages('mneme-plugin-own/package.json')]: manifest('mneme-plugin-own', { '.': { import: './main.js' } }),
    [inPackages('mneme-plugin-own/main.js')]: sourceOf('own', '@sinclair/typebox') + READS_JSON,
    [inPackages('mneme-plugin-own/data.json')]: '{"flavour": "plain"}',
    [join(own, 'flavours/package.json')]: JSON.stringify({ name: 'flavours', version: '1.0.0', main: './index.js' }),
    [join(own, 'flavours/index.js')]: `module.exports = require('./data.json')`,
    [join(own, 'flavours/data.json')]: '{"flavour": "plain"}',
    [join(own, 'mneme/package.json')]: manifest('mneme', { './plugin': './old.js' }),
    [join(own, 'mneme/old.js')]: 'throw new Error("this is not the Mneme that runs")',
    [inPackages('@acme/typed/package.json')]: manifest('@acme/typed', './index.ts'),
    [inPackages('@acme/typed/index.ts')]: typedSourceOf('typed'),
    [inPackages('@acme/typed/kind.ts')]: KIND,
    // A package that Mneme has too: the working folder's goes before it.
    [inPackages('stopword/package.json')]: manifest('stopword', './index.js'),
    [inPackages('stopword/index.js')]: sourceOf('nearer'),
  })
  await cp(join(PACKAGES, '@sinclair/typebox'), join(own, '@sinclair/typebox'), { recursive: true })
  return folder
}

for (const runtime of ['bun', 'deno'] as const satisfies Runtime[]) {
  describe(`on ${runtime}, plugins import the Mneme that runs them`, () => {
    test('from a path anywhere and from packages of the working folder, without any link', async () => {
      const apart = await temporaryFolder()
      await write({
        [join(apart, 'a plugin #1/index.ts')]: typedSourceOf('apart'),
        [join(apart, 'a plugin #1/kind.ts')]: KIND,
      })
      const plugins = [join(apart, 'a plugin #1/index.ts'), 'mneme-plugin-own', '@acme/typed', 'stopword']
      const settings = { ...(await emptyStore()), PLUGINS: plugins.join(',') }
      const server = await startServer(settings, runtime, await workingFolder())
      const client = server.client()
      for (const id of ['apart', 'own', 'typed', 'nearer']) {
        const path = `/v1/x/${id}/try`
        const tried = await client.post(path, { words: 'fine' })
        expect({ id, ...tried }).toMatchObject({ id, status: 200, body: { reads: true, same: true, words: 'fine' } })
        const refused = await client.post(path, { words: 'fine', refuse: true })
        expect(refused.body.error_code).toBe(`${id.toUpperCase()}_REFUSED`)
        const long = await client.post(path, { words: 'too long' })
        expect(long.body.details).toEqual([{ path: 'words', message: 'must have at most 5 characters' }])
      }
      expect(await server.stop()).toBe(0)
    })
  })
}

test('a package that the working folder does not have is looked for beside Mneme; what is nowhere, or a folder, is named', async () => {
  const found = await runToEnd('server/main.ts', { PLUGINS: 'eld' })
  expect([found.code, found.stderr]).toEqual([1, expect.stringContaining('plugin eld: its manifest lacks `setup`')])
  const { code, stderr } = await runToEnd('server/main.ts', { PLUGINS: 'no-such-plugin, ./test' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/names no-such-plugin, which could not be loaded: Cannot find package 'no-such-plugin'/)
  expect(stderr).toContain('names ./test, which could not be loaded: it is a folder. Name the file in it.')
})

for (const runtime of ['bun', 'deno'] as const satisfies Runtime[]) {
  test(`on ${runtime}, a module that cannot be read is told with its place, and a part of Mneme that is none with those there are`, async () => {
    const folder = await temporaryFolder()
    await write({
      [join(folder, 'broken.ts')]: `export const fine = 1\nexport default { x y`,
      [join(folder, 'inner.ts')]:
        `import { openDatabase } from 'mneme/core/db/database.ts'\nexport default openDatabase`,
    })
    const plugins = [join(folder, 'broken.ts'), join(folder, 'inner.ts')]
    const child = run('server/main.ts', { PLUGINS: plugins.join(',') }, runtime)
    expect(await child.ended).toBe(1)
    expect(child.stderr()).toMatch(/names \S+broken\.ts, which could not be loaded: .*broken\.ts:2/s)
    expect(child.stderr()).toMatch(
      /names \S+inner\.ts, .*Of Mneme a plugin can import mneme\/plugin, mneme\/plugin\/\w+, .*mneme\/testing\./,
    )
  })
}
