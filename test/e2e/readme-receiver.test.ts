import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { onEnd } from '../support/closing.ts'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const PAGE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

test('the receiver in docs/api.md takes what is signed with its secret, and nothing else', async () => {
  const code = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? ''
  expect(code).toContain('standardwebhooks')
  const server = await startServer({ ...(await preparedStore()), ALLOW_PRIVATE_NETWORKS: 'true' })
  const client = server.client()
  const port = await freePort()
  const events = ['memory.created']
  const { body: webhook } = await client.post('/v1/webhooks', { url: `http://localhost:${port}/`, events })
  const receiver = spawn(process.execPath, ['--eval', code], {
    env: { PATH: process.env.PATH ?? '', SECRET: webhook.secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onEnd(async () => void receiver.kill())
  let said = ''
  receiver.stdout.on('data', chunk => {
    said += String(chunk)
  })
  await until('the test is taken', async () => {
    const { body } = await client.post(`/v1/webhooks/${webhook.id}/test`)
    return body.status === 'SUCCEEDED' && body.response_code === 204
  })
  await client.post('/v1/memories', { memory: 'Ada prefers tea.', user_id: 'ada' })
  await until('it says what came', async () => said.includes('Ada prefers tea.'))
  const { body: other } = await client.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events })
  expect((await client.post(`/v1/webhooks/${other.id}/test`)).body).toMatchObject({
    status: 'FAILED',
    response_code: 401,
  })
  await server.stop()
})
