import { expect, test } from 'bun:test'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { preparedStore, run, runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const MEMORIES = 12
const ARRIVED = 100

test('mneme export that is killed goes on with the same export and the same file when it is run again', async () => {
  const server = await startServer(await preparedStore())
  const client = server.client()
  for (let n = 0; n < MEMORIES; n++) await client.post('/v1/memories', { memory: `Locker ${n} belongs to team ${n}.` })
  const slow = await haltingProxy(server.url)
  const folder = await temporaryFolder()
  const out = join(folder, 'all.jsonl')
  const settings = { MNEME_URL: slow.url, MNEME_API_KEY: server.apiKey }
  const exports = async () => (await client.get('/v1/exports')).body.total

  const first = run('client/mneme.ts', settings, undefined, ['export', '--out', out])
  await until('some of the file is there', async () => {
    const size = (await stat(`${out}.part`).catch(() => undefined))?.size
    return size === ARRIVED || first.hasEnded()
  })
  await first.kill()
  expect([await exports(), slow.ranges]).toEqual([1, ['bytes=0-']])

  const { code, stdout } = await runToEnd('client/mneme.ts', settings, ['export', '--out', out])
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${ARRIVED} bytes are there`)])
  expect([await exports(), slow.ranges]).toEqual([1, ['bytes=0-', `bytes=${ARRIVED}-`]])
  const lines = (await readFile(out, 'utf8')).split('\n')
  expect(lines.filter(line => line.includes('belongs to team'))).toHaveLength(MEMORIES)
  expect(await readdir(folder)).toEqual(['all.jsonl'])
  expect(await server.stop()).toBe(0)
})

/** Passes requests on; of the first download it sends a few bytes and then nothing more. */
async function haltingProxy(origin: string) {
  const ranges: (string | undefined)[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const names = ['x-api-key', 'content-type', 'idempotency-key', 'range', 'if-match']
    const headers = names.flatMap(name => (request.headers[name] ? [[name, `${request.headers[name]}`] as const] : []))
    const body = method === 'GET' ? null : Buffer.concat(chunks)
    const answer = await fetch(new URL(url, origin), { method, headers: Object.fromEntries(headers), body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isDownload = url.endsWith('/download')
    if (isDownload) ranges.push(request.headers.range)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    if (isDownload && ranges.length === 1) response.write(bytes.subarray(0, ARRIVED))
    else response.end(bytes)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges }
}
