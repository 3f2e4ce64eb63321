import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../support/measure.ts'

export const OPERATIONS = ['get', 'create', 'search'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Experience {
  readonly p99: Readonly<Record<Operation, number>>
  /** Responses from 500 up, and requests without a response. */
  readonly failures: number
  readonly requests: number
}

/** Between two requests: a victim is no flood itself. */
const PAUSE_MS = 20

/** Reads, writes and searches in turn for a while, as one client of one workspace does. */
export async function livesThrough(base: string, key: string, memoryId: string, seconds: number): Promise<Experience> {
  const times: Record<Operation, number[]> = { get: [], create: [], search: [] }
  let failures = 0
  const call = async (operation: Operation, method: string, path: string, body?: object) => {
    const from = performance.now()
    const status = await fetch(base + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(60_000),
    }).then(
      async response => {
        await response.arrayBuffer()
        return response.status
      },
      () => 599,
    )
    times[operation].push(performance.now() - from)
    if (status >= 500) failures++
  }
  const end = Date.now() + seconds * 1000
  for (let n = 0; Date.now() < end; n++) {
    await call('get', 'GET', `/v1/memories/${memoryId}`)
    await call('create', 'POST', '/v1/memories', { memory: `Note ${n} of ${crypto.randomUUID()}: the kettle sings.` })
    await call('search', 'POST', '/v1/memories/search', { query: 'who hears the kettle?' })
    await pause(PAUSE_MS)
  }
  const [get, create, search] = OPERATIONS.map(operation => percentile(times[operation], 0.99))
  const requests = OPERATIONS.reduce((sum, operation) => sum + times[operation].length, 0)
  return { p99: { get: get ?? 0, create: create ?? 0, search: search ?? 0 }, failures, requests }
}
