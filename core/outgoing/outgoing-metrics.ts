import { Counter, Gauge, type Registry } from 'prom-client'
import type { OutgoingClient } from './client.ts'
import { OutgoingError } from './outgoing-error.ts'

/** Counts a client's requests by how they ended, and those that are open or wait at the moment. */
export function withMetrics(client: OutgoingClient, registry: Registry): OutgoingClient {
  const requests = new Counter({
    name: 'mneme_outgoing_requests_total',
    help: 'Requests to URLs that users gave, by the class of the response or the code of the error.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'mneme_outgoing_connections',
    help: 'Connections to URLs that users gave, and requests that wait for one or for their look-up.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, waiting } = client.load()
      this.set({ state: 'open' }, open)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  return {
    ...client,
    async request(url, options) {
      try {
        const response = await client.request(url, options)
        requests.inc({ outcome: `${Math.floor(response.status / 100)}xx` })
        return response
      } catch (error) {
        requests.inc({ outcome: error instanceof OutgoingError ? error.code : 'ABORTED' })
        throw error
      }
    },
  }
}
