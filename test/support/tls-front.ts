import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'

/** Stands in front of a database and takes nothing but TLS, as hosters' databases do. */
export interface TlsFront {
  /** The database's URL through it, without parameters. */
  readonly url: string
  close(): Promise<void>
}

/** The length and the code of the message with which a client asks for TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** @param certificate one of test/fixtures/certificates */
export async function tlsFront(databaseUrl: string, certificate: 'loopback' | 'server'): Promise<TlsFront> {
  const pem = readFileSync(new URL(`../fixtures/certificates/${certificate}.pem`, import.meta.url))
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const join = (one: Socket, other: Socket) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      sockets.add(from)
      from.on('data', bytes => to.write(bytes))
      from.on('error', () => from.destroy())
      from.on('close', () => to.destroy())
    }
  }
  const secure = createSecureServer({ key: pem, cert: pem }, client => join(client, connect(Number(port), hostname)))
  // A client whose demands the certificate does not meet goes away in the middle.
  secure.on('tlsClientError', () => undefined)
  const securePort = await listening(secure)
  const front = createServer(client => {
    client.on('error', () => client.destroy())
    client.once('data', first => {
      if (!SSL_REQUEST.equals(first)) return client.destroy()
      client.write('S')
      join(client, connect(securePort, '127.0.0.1'))
    })
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${await listening(front)}`
  url.search = ''
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([front, secure].map(server => new Promise(resolve => server.close(resolve))))
    },
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
