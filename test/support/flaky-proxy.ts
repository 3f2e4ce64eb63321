import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands as a TCP proxy in front of a database, to take it away and bring it back. */
export interface FlakyProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Ends every connection: `close` as a server that shuts down does, `reset` as one that crashed. New ones are served. */
  drop(how: 'close' | 'reset'): void
  /** Counts the present connections. */
  connections(): number
  /** From now on the database's replies on the present connections are swallowed. */
  hold(): void
  /** Ends every connection, and refuses logins with this SQLSTATE from now on; without one they are let through again. */
  refuseLogins(state: string | undefined): void
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function flakyProxy(databaseUrl: string): Promise<FlakyProxy> {
  const target = new URL(databaseUrl)
  /** The client ended it. */
  const connections = new Map<Socket, { held: boolean }>()
  let refusal: string | undefined
  const serve = () =>
    createServer(client => {
      if (refusal) return refuseLogin(client, refusal)
      const state = { held: false }
      connections.set(client, state)
      const database = connect(Number(target.port), target.hostname)
      client.on('data', bytes => database.write(bytes))
      database.on('data', bytes => {
        if (!state.held) client.write(bytes)
      })
      for (const [one, other] of [
        [client, database],
        [database, client],
      ] as const) {
        one.on('error', () => one.destroy())
        one.on('close', () => other.destroy())
      }
      client.on('close', () => connections.delete(client))
    })
  let server = await listening(serve(), 0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  const drop = (how: 'close' | 'reset') => {
    for (const client of connections.keys()) {
      if (how === 'reset') client.resetAndDestroy()
      else client.destroy()
    }
  }
  const cut = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    drop('close')
    await closed
  }
  return {
    url: url.href,
    drop,
    connections: () => connections.size,
    hold() {
      for (const state of connections.values()) state.held = true
    },
    refuseLogins(state) {
      refusal = state
      drop('close')
    },
    cut,
    async mend() {
      server = await listening(serve(), port)
    },
    close: cut,
  }
}

/** Responds to the first message of a client, which asks to be let in, as Postgres does to a wrong password. */
function refuseLogin(client: Socket, state: string): void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mpassword authentication failed\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  client.on('error', () => client.destroy())
  client.once('data', () => client.end(Buffer.concat([head, fields])))
}

function listening(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
