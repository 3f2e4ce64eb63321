import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setPeer } from '../core/auth/client-address.ts'
import { InFlight } from '../core/boot/in-flight.ts'
import { errorBody, fail } from '../core/errors.ts'
import { requestIdOf, setGoneSignal } from '../core/http/request.ts'
import { jsonResponse } from '../core/http/respond.ts'
import { type Listener, type ListenOptions, urlOf } from './listen.ts'

/** Types the part of Deno's API used here; its own types would clash with Bun's. */
interface DenoServe {
  serve(
    options: { hostname: string; port: number; onListen(): void; onError(): Response },
    handler: (request: Request, info: DenoServeInfo) => Promise<Response> | Response,
  ): { shutdown(): Promise<void>; addr: { port: number } }
}

interface DenoServeInfo {
  readonly remoteAddr: { readonly hostname?: string }
  /** Rejects when the client went away before it had the whole response. */
  readonly completed: Promise<void>
}

declare const Deno: DenoServe

/** A close waits so long for requests under way. */
const DRAIN_MS = 10_000

export async function listen({ host, port, fetch }: ListenOptions): Promise<Listener> {
  const inFlight = new InFlight()
  let closing = false
  const server = Deno.serve(
    {
      hostname: host,
      port,
      onListen: () => undefined,
      // Called for a stream that ends early on purpose; the code that decides so logs it.
      onError: () => new Response(null, { status: 500 }),
    },
    (request, info) => {
      if (closing) return unavailable(request)
      if (info.remoteAddr.hostname) setPeer(request, info.remoteAddr.hostname)
      setGoneSignal(request, () => goneWithout(info.completed))
      return inFlight.track(fetch(request))
    },
  )
  return {
    url: urlOf(host, server.addr.port),
    async close() {
      closing = true
      // In Deno 2.9 a request whose body was not read before `shutdown` can no longer read it.
      await inFlight.drained(DRAIN_MS)
      await server.shutdown()
    },
  }
}

/** Deno's own `request.signal` aborts when all went well, too, and says so on standard error. */
function goneWithout(completed: Promise<void>): AbortSignal {
  const gone = new AbortController()
  completed.catch(error => gone.abort(error))
  return gone.signal
}

function unavailable(request: Request): Response {
  const error = fail('SERVICE_UNAVAILABLE')
  const headers = { 'x-request-id': requestIdOf(request), 'retry-after': '2', connection: 'close' }
  return jsonResponse(error.status, JSON.stringify(errorBody(error)), headers)
}

/** Deno counts the memory of buffers, and collects in time by itself. */
export function collectGarbage(): void {}

/** So no thread needs a module for it. */
export const collector: URL | undefined = undefined

/** V8 drops code that has not run for a while by itself. */
export function trimMemory(): void {}

/**
 * Leads imports of Mneme's public entries, by whatever module, to the modules of this process: a plugin has the same ones
 * wherever it lies, and whichever copy of Mneme is among its own packages.
 */
export function provideEntries(entries: ReadonlyMap<string, URL>): void {
  registerHooks({
    resolve(specifier, context, next) {
      const entry = entries.get(specifier)
      return entry ? { url: entry.href, shortCircuit: true } : next(specifier, context)
    },
    load(url, context, next) {
      // With a hook, Deno 2.9 takes JSON that a CommonJS package requires for JavaScript, unless it is told.
      if (/\.json$/.test(url)) return { ...next(url, context), format: 'json' }
      // Deno's own loader reads TypeScript everywhere but in packages, where Bun does.
      if (!/\/node_modules\/.*\.m?ts$/.test(url)) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'), { mode: 'transform' })
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
