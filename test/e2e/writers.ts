import { randomUUID } from 'node:crypto'
import type { Client } from '../support/client.ts'
import { until } from '../support/wait.ts'

/** A create that got a 201. */
export interface Acknowledged {
  readonly id: string
  readonly text: string
}

/** A create whose response never came; the memory may or may not be there. */
export interface Unacknowledged {
  readonly text: string
  readonly key: string
}

export interface Writing {
  readonly acknowledged: Acknowledged[]
  readonly unacknowledged: Unacknowledged[]
  /** Statuses other than 201, which a healthy or dying server must not give. */
  readonly refused: number[]
}

/** Writes distinct memories, `writers` at a time, each until its first failure or until there are `each`. */
export async function write(client: Client, into: Writing, writers: number, each: number): Promise<void> {
  const writer = async () => {
    for (let n = 0; n < each; n++) {
      const text = `Note ${randomUUID()} of the day.`
      const key = randomUUID()
      try {
        const response = await client.post('/v1/memories', { memory: text }, { headers: { 'idempotency-key': key } })
        if (response.status !== 201) return void into.refused.push(response.status)
        into.acknowledged.push({ id: response.body.id, text })
      } catch {
        return void into.unacknowledged.push({ text, key })
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
}

export const newWriting = (): Writing => ({ acknowledged: [], unacknowledged: [], refused: [] })

export interface Stored {
  readonly id: string
  readonly memory: string
  readonly status: string
}

/** Lists every memory of the client's workspace. */
export async function readAll(client: Client): Promise<Stored[]> {
  return (await readWhile(client, () => true)) ?? []
}

/** Waits until no memory waits for processing, and returns all. */
export async function readProcessed(client: Client, timeoutMs: number): Promise<Stored[]> {
  const read = () => readWhile(client, ({ status }) => status === 'COMPLETED')
  return until('all memories are processed', read, timeoutMs)
}

/** Returns undefined at the first page with a memory that is not as wanted, as those are that were written last. */
async function readWhile(client: Client, isWanted: (stored: Stored) => boolean): Promise<Stored[] | undefined> {
  const all: Stored[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await client.get('/v1/memories', { query: { page, page_size: 100 } })
    if (status !== 200) throw new Error(`the list answered ${status}`)
    all.push(...body.data)
    if (!body.data.every(isWanted)) return undefined
    if (page * 100 >= body.total) return all
  }
}
