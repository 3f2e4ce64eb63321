import { describe, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { batchesOf } from './batches.ts'

async function batches(files: Readonly<Record<string, string>>, withDatabase: readonly string[] = []) {
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return batchesOf(root, Object.keys(files), new Set(withDatabase))
}

const SHARED = 'const here = await service()'

describe('the files of one process', () => {
  test('are those of one plugin that need the shared service alone, and those that have services of their own', async () => {
    const made = await batches(
      {
        'plugins/a/one.test.ts': SHARED,
        'plugins/a/deep/two.test.ts': SHARED,
        'plugins/a/routes/three.test.ts': "import { world } from '../world.test-support.ts'",
        'plugins/b/four.test.ts': SHARED,
        'plugins/a/five.test.ts': `${SHARED}\nconst other = await startService()`,
        'plugins/a/six.test.ts': "import { world } from './world.test-support.ts'",
        'plugins/a/seven.test.ts': 'const own = await ownDatabaseUrl()\nprocess.env.HOME = own',
      },
      ['plugins/a/five.test.ts', 'plugins/a/six.test.ts', 'plugins/a/seven.test.ts'],
    )
    expect(made).toEqual([
      { name: 'plugins/a/seven.test.ts', paths: ['plugins/a/seven.test.ts'], closesEach: true },
      {
        name: 'plugins/a (3 files)',
        paths: ['plugins/a/one.test.ts', 'plugins/a/deep/two.test.ts', 'plugins/a/routes/three.test.ts'],
        closesEach: false,
      },
      { name: 'plugins/b/four.test.ts', paths: ['plugins/b/four.test.ts'], closesEach: false },
      {
        name: 'plugins/a (2 files)',
        paths: ['plugins/a/five.test.ts', 'plugins/a/six.test.ts'],
        closesEach: true,
      },
    ])
  })

  test('are those of one part that need no database, but for what changes the process', async () => {
    const adds = "test('adds', () => {})"
    const made = await batches({
      'core/a/one.test.ts': adds,
      'core/b/two.test.ts': adds,
      'core/a/three.test.ts': `${adds}\nmock.module('x', () => ({}))`,
      'test/e2e/four.test.ts': adds,
    })
    expect(made.map(({ paths }) => paths)).toEqual([
      ['core/a/three.test.ts'],
      ['test/e2e/four.test.ts'],
      ['core/a/one.test.ts', 'core/b/two.test.ts'],
    ])
  })

  test('are a bounded number, spread evenly, and none is left out', async () => {
    const paths = Array.from({ length: 17 }, (_, n) => `plugins/a/routes/${n}.test.ts`)
    const made = await batches(Object.fromEntries(paths.map(path => [path, SHARED])))
    expect(made.map(batch => batch.paths.length).toSorted()).toEqual([5, 6, 6])
    expect(made.flatMap(batch => batch.paths).toSorted()).toEqual(paths.toSorted())
  })
})
