import { expect, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('./embedded.ts', import.meta.url))
const deno = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url))

test.each([
  ['Bun', process.execPath, []],
  ['Deno', deno, ['run', '--allow-all', '--quiet']],
])(
  'the embedded database works on %s',
  async (_, command, options) => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-runtime-'))
    try {
      const { stdout } = await promisify(execFile)(command, [...options, program, join(folder, 'postgres')], {
        timeout: 170_000,
      })
      expect(JSON.parse(stdout)).toEqual({
        refused: true,
        notification: 'acknowledge',
        nearest: 7,
        fsync: 'on',
        rows: 20,
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  180_000,
)
