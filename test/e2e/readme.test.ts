import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { preparedStore, type ServerProcess, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

let server: ServerProcess

beforeAll(async () => {
  server = await startServer(await preparedStore())
})

/** Finds the README's blocks of a language, aimed at this test's server. */
function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(match =>
    String(match[1]).replaceAll('http://localhost:3000', server.url).replaceAll('localhost:3000', server.url),
  )
}

function run(command: string, args: string[]): string {
  const { PATH = '' } = process.env
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', env: { PATH, KEY: server.apiKey } })
  expect([stderr, status]).toEqual(['', 0])
  return stdout
}

test('the quick start in curl stores a memory and finds it', async () => {
  const script = blocks('sh').find(block => block.includes('curl')) ?? ''
  expect(script).toContain('/v1/memories')
  const [created = '', ...rest] = script.split(/\n(?=curl)/)
  expect(run('sh', ['-c', created])).toContain('"id"')
  await until('the memory is found', async () => run('sh', ['-c', rest.join('\n')]).includes('Lisbon'))
})

test('the quick start in TypeScript does the same', async () => {
  const script = blocks('ts').find(block => block.includes('fetch')) ?? ''
  expect(script.trim().split('\n').length).toBeLessThanOrEqual(6)
  // The other quick start stored it already, so this one only finds it; a text of its own makes it complete.
  const own = script.replaceAll('lives in Lisbon', 'lives in Porto')
  expect(run(process.execPath, ['--eval', own])).toMatch(/TypeScript/)
})

afterAll(async () => {
  expect(await server.stop()).toBe(0)
})
