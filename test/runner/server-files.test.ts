import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { findTestFiles } from './files.ts'
import { serverFiles } from './server-files.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('a file that reaches the database by whatever way can notice a server, and one that reaches none cannot', () => {
  const all = findTestFiles(ROOT, [])
  const found = new Set(serverFiles(ROOT, all))
  for (const path of [
    'core/db/database.test.ts',
    'test/postgres/conformance.test.ts',
    'test/e2e/start.test.ts',
    'test/contract/memories-read.test.ts',
    'test/e2e/tutorial.test.ts',
  ]) {
    expect(all).toContain(path)
    expect(found.has(path)).toBe(true)
  }
  for (const path of ['core/http/cors.test.ts', 'test/architecture/words.test.ts']) {
    expect(all).toContain(path)
    expect(found.has(path)).toBe(false)
  }
})
