import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

test('the comparison of engines says that there is no Typesense, and ends with 2', async () => {
  const { TYPESENSE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [fileURLToPath(new URL('engines.ts', import.meta.url))], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk))
  const code = await new Promise(resolve => child.once('close', resolve))
  expect([code, text]).toEqual([2, 'TYPESENSE_URL is not set, so there is no Typesense to compare with Postgres.\n'])
})
