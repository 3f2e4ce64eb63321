import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery that came, with the number that its event carries. */
export interface Arrival {
  readonly number: number
  readonly at: number
  readonly deliveryId: string
}

export interface Receiver {
  readonly url: string
  readonly arrivals: Arrival[]
  close(): void
}

/** A receiver on a loopback address of its own, so that it is a host of its own. `hangs` ones never answer. */
export async function openReceiver(
  address: string,
  { hangs = false, delayMs = 0 }: { readonly hangs?: boolean; readonly delayMs?: number } = {},
): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const server: Server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      const { data } = JSON.parse(text) as { data: { number?: number } }
      const deliveryId = String(request.headers['webhook-id'])
      arrivals.push({ number: data.number ?? -1, at: Date.now(), deliveryId })
      if (hangs) return
      if (delayMs > 0) setTimeout(() => response.end('ok'), delayMs)
      else response.end('ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}/hook`,
    arrivals,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
