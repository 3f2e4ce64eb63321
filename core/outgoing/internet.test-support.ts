import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import type { Network } from './network.ts'

/** Servers of tests seem to have these public addresses; nothing is ever sent to them. */
export const PUBLIC = '93.184.216.34'
export const PUBLIC_TOO = '93.184.216.35'
export const PUBLIC_V6 = '2606:2800:220:1:248:1893:25c8:1946'

/**
 * Gives a test names and addresses of its own; its servers listen on loopback and seem to stand at public addresses.
 */
export interface Internet {
  readonly network: Network
  /** Look-ups of names return these: addresses, the same each time, or the result of a function. */
  readonly names: Map<string, readonly string[] | (() => readonly string[] | Promise<readonly string[]>)>
  /** Records the names looked up and the addresses connected to, in order. */
  readonly lookups: string[]
  readonly reached: string[]
  /** Starts an HTTP server at an address. */
  serve(address: string, answer: RequestListener, options?: ServeOptions): Promise<void>
  /** Starts a server that sends what the function writes, whatever is requested. */
  serveRaw(address: string, speak: (socket: Socket) => void, port?: number): Promise<void>
  /** Closes all servers and forgets all names, for the next test. */
  reset(): Promise<void>
}

export interface ServeOptions {
  readonly port?: number
  /** Serves TLS on port 443, by this certificate. */
  readonly certificate?: 'server' | 'expired'
}

export function openInternet(): Internet {
  const servers = new Set<Server>()
  const ports = new Map<string, number>()
  const [lookups, reached]: [string[], string[]] = [[], []]
  const names: Internet['names'] = new Map()
  const sockets = new Set<Socket>()
  const listen = async (server: Server, address: string, port: number) => {
    servers.add(server)
    server.on('connection', socket => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    ports.set(`${address} ${port}`, (server.address() as AddressInfo).port)
  }
  return {
    network: {
      async resolve(host) {
        lookups.push(host)
        const known = names.get(host)
        const addresses = typeof known === 'function' ? await known() : known
        if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
        return addresses
      },
      reach(address, port) {
        reached.push(address)
        // An address without a server leads to port 1 of loopback, where nobody listens.
        return { host: '127.0.0.1', port: ports.get(`${address} ${port}`) ?? 1 }
      },
      authorities: [certificate('authority')],
    },
    names,
    lookups,
    reached,
    async serve(address, answer, { port, certificate: name } = {}) {
      const pem = name && certificate(name)
      const server = pem ? createSecureServer({ key: pem, cert: pem }, answer) : createServer(answer)
      await listen(server, address, port ?? (pem ? 443 : 80))
    },
    serveRaw: (address, speak, port = 80) => listen(createRawServer(speak), address, port),
    async reset() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([...servers].map(server => new Promise(resolve => server.close(resolve))))
      for (const known of [servers, ports, names]) known.clear()
      for (const seen of [lookups, reached]) seen.length = 0
    },
  }
}

function certificate(name: string): string {
  return readFileSync(new URL(`../../test/fixtures/certificates/${name}.pem`, import.meta.url), 'utf8')
}

/** Responds with what the server saw of the request, as JSON. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    const { method, url, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, body }))
  })
}
