import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '../support/client.ts'
import { onEnd } from '../support/closing.ts'
import { temporaryFolder } from '../support/database.ts'
import { serveHttp } from '../support/http-server.ts'
import { preparedStore, type ServerProcess, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const DOCUMENTED = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
const REQUESTS = 2000

test('nginx as documented before two servers: nobody notices that each is restarted', async () => {
  const settings = { ...(await preparedStore()), SHUTDOWN_DELAY: '5', WORKERS: 'none' }
  const start = (port = '0') => startServer({ ...settings, PORT: port })
  // The first of them makes the account.
  const first = await start()
  const servers: [ServerProcess, ServerProcess] = [first, await start()]
  const nginx = await startNginx(servers.map(portOf))
  const client = new Client(fetch, { 'x-api-key': first.apiKey }, nginx.url)
  const seen = { count: 0, failed: [] as unknown[], done: false }
  const asking = Promise.all([0, 1, 2, 3].map(who => ask(client, seen, who)))

  for (const place of [0, 1] as const) {
    const { [place]: server } = servers
    const port = portOf(server)
    const stopping = server.stop()
    await until('it says that it stops', async () => (await server.client('').get('/ready')).status === 503)
    expect((await server.client().get('/v1/memories')).headers.get('connection')).toBe('close')
    expect(await stopping).toBe(0)
    const sent = nginx.sentTo(port)
    servers[place] = await start(port)
    await until('nginx has taken it back', async () => nginx.sentTo(port) > sent)
  }
  await until('there were enough requests', async () => seen.count >= REQUESTS, 120_000)
  seen.done = true
  await asking
  expect(seen.failed).toEqual([])
}, 300_000)

/** Sends one request after the other, every fourth of which stores a memory. */
async function ask(client: Client, seen: { count: number; failed: unknown[]; done: boolean }, who: number) {
  for (let n = 0; !seen.done; n++) {
    const memory = `Ada has planted ${n} trees in the garden of her neighbour ${who}.`
    const asked = n % 4 === 0 ? client.post('/v1/memories', { memory }) : client.get('/v1/memories')
    const outcome = await asked.then(
      ({ status, body }) => (status < 300 ? undefined : { status, body }),
      error => String(error),
    )
    seen.count++
    if (outcome) seen.failed.push(outcome)
  }
}

function portOf({ url }: ServerProcess): string {
  return new URL(url).port
}

/** Starts nginx with the documented file, whose addresses are replaced. */
async function startNginx(ports: readonly string[]) {
  const folder = await temporaryFolder()
  const port = await freePort()
  let site = DOCUMENTED.replace('listen 80;', `listen 127.0.0.1:${port};`)
  for (const [place, own] of ports.entries()) site = site.replace(`127.0.0.1:300${place} `, `127.0.0.1:${own} `)
  const log = join(folder, 'access.log')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`)
  const whole = `
    daemon off;
    worker_processes 2;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/pid;
    error_log ${folder}/error.log;
    events {}
    http {
      ${paths.join('\n')}
      log_format servers '$upstream_addr';
      access_log ${log} servers;
      ${site}
    }`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, whole)
  const nginx = spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(nginx, 'exit')
  onEnd(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await until('nginx listens', () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const sentTo = (server: string) => readFileSync(log, 'utf8').split(`:${server}\n`).length
  return { url, sentTo }
}

async function freePort(): Promise<string> {
  const server = await serveHttp(() => new Response())
  server.close()
  return new URL(server.origin).port
}
