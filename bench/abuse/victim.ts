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

/**
 * Reads, writes and searches in turn for a while, as one client of one workspace does. What it wrote it deletes at the end, so that a database
 * has one size in all rounds and its memory tells of the attack alone.
 */
export async function livesThrough(base: string, key: string, memoryId: string, seconds: number): Promise<Experience> {
  const times: Record<Operation, number[]> = { get: [], create: [], search: [] }
  let failures = 0
  const send = (method: string, path: string, body?: object) =>
    fetch(base + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(60_000),
    }).then(
      async response => ({ status: response.status, text: await response.text() }),
      () => ({ status: 599, text: '' }),
    )
  const call = async (operation: Operation, method: string, path: string, body?: object) => {
    const from = performance.now()
    const { status, text } = await send(method, path, body)
    times[operation].push(performance.now() - from)
    if (status >= 500) failures++
    return { status, text }
  }
  const written: string[] = []
  const end = Date.now() + seconds * 1000
  for (let n = 0; Date.now() < end; n++) {
    await call('get', 'GET', `/v1/memories/${memoryId}`)
    const memory = `Note ${n} of ${crypto.randomUUID()}: the kettle sings.`
    const { status, text } = await call('create', 'POST', '/v1/memories', { memory })
    if (status === 201) written.push(JSON.parse(text).id)
    await call('search', 'POST', '/v1/memories/search', { query: 'who hears the kettle?' })
    await pause(PAUSE_MS)
  }
  for (const id of written) await send('DELETE', `/v1/memories/${id}`)
  const [get, create, search] = OPERATIONS.map(operation => percentile(times[operation], 0.99))
  const requests = OPERATIONS.reduce((sum, operation) => sum + times[operation].length, 0)
  return { p99: { get: get ?? 0, create: create ?? 0, search: search ?? 0 }, failures, requests }
}
