import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { findTestFiles } from './files.ts'

test('files that need a browser run when their folder is named, others by any part of their path', async () => {
  const root = await temporaryFolder()
  for (const folder of ['core/a', 'test/browser', 'node_modules/b']) {
    await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, folder, 'one.test.ts'), '')
  }
  await writeFile(join(root, 'core/a/two.ts'), '')
  expect(findTestFiles(root, [])).toEqual(['core/a/one.test.ts'])
  expect(findTestFiles(root, ['one'])).toEqual(['core/a/one.test.ts'])
  expect(findTestFiles(root, ['test/browser'])).toEqual(['test/browser/one.test.ts'])
})
