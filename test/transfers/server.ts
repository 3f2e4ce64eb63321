/**
 * Serves the transfer routes behind a real listener, in a process of its own on Bun or Deno, with a clock that the test
 * moves: `POST /test/advance?ms=30000`, and `GET /test/state` reports what was seen.
 */
import { InFlight } from '../../core/boot/in-flight.ts'
import { transferWorld } from './world.ts'

const { app, clock, transfers, seen, observed } = transferWorld()
const inFlight = new InFlight()
const runtime = 'Deno' in globalThis ? await import('../../server/deno.ts') : await import('../../server/bun.ts')

async function control(url: URL): Promise<Response | undefined> {
  if (url.pathname === '/test/advance') clock.advance(Number(url.searchParams.get('ms')))
  else if (url.pathname === '/test/cut') transfers.cutAll()
  else if (url.pathname !== '/test/state') return undefined
  const { memory, disk, responses, count: running } = transfers
  const used = {
    memory: memory.used,
    disk: disk.used,
    responses: responses.used,
    running,
  }
  return Response.json({
    ...seen,
    ...used,
    observed,
    waiting: clock.waiting,
    begun: clock.begun,
    rss: process.memoryUsage().rss,
  })
}

const listener = await runtime.listen({
  host: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    return (url && (await control(url))) ?? inFlight.track(app(request))
  },
})
process.stdout.write(`Transfers listen on ${listener.url}\n`)
