import { expect, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('./outgoing.ts', import.meta.url))
const deno = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url))

// Set from the start, as a runtime may read them once: the client asks no proxy all the same.
const PROXIES = { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' }

test.each([
  ['Bun', process.execPath, []],
  ['Deno', deno, ['run', '--allow-all', '--quiet']],
])(
  'outgoing HTTP refuses what it must, and works, on %s',
  async (_, command, options) => {
    const env = { ...process.env, ...PROXIES }
    const { stdout } = await promisify(execFile)(command, [...options, program], { timeout: 170_000, env })
    const { ran, failed } = JSON.parse(stdout)
    expect(failed).toEqual([])
    expect(ran).toBeGreaterThan(300)
  },
  180_000,
)
