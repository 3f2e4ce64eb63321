import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Listens on a port of its own, by node:http, so that a test with it is bound to no runtime. */
export interface HttpServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** Ends at once, whatever is under way. */
  close(): void
}

/** Serves the responses that `answer` makes; its failure is a 500. */
export async function serveHttp(answer: (request: Request) => Response | Promise<Response>): Promise<HttpServer> {
  const server = createServer((incoming, outgoing) => {
    const answering = async () => {
      const response = await answer(await requestOf(incoming))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    answering().catch(error => outgoing.writeHead(500).end(String(error)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one)
  }
  const method = incoming.method ?? 'GET'
  const bodiless = method === 'GET' || method === 'HEAD'
  const body = bodiless ? null : new Uint8Array(await buffer(incoming))
  return new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body })
}
