import { setTimeout as pause } from 'node:timers/promises'
import type { BenchClient } from '../retrieval/client.ts'

export interface Mneme {
  /** @returns milliseconds until all of them were stored and can be found by meaning */
  add(userId: string, texts: readonly { id: string; session?: string; text: string }[]): Promise<number>
  /** @returns the ids of the texts, best first */
  search(userId: string, query: string, limit: number): Promise<{ ids: unknown[]; tookMs: number }>
}

const POLL_MS = 20
const PROCESSING_MAX_MS = 10 * 60_000

/** Mneme over HTTP, in the shape in which it is compared. */
export function openMneme(client: BenchClient): Mneme {
  return {
    async add(userId, texts) {
      const startedAt = performance.now()
      const memories = texts.map(({ id, session, text }) => ({
        memory: text,
        user_id: userId,
        session_id: session,
        metadata: { turn: id },
      }))
      const { results } = await client.call<BatchAnswer>('POST', '/v1/memories/batch', { memories })
      // A text that is there twice is refused the second time; the first one answers for both.
      const failed = results.find(({ status }) => status !== 201 && status !== 409)
      if (failed) throw new Error(`a memory was refused with ${failed.status}`)
      await newestProcessed(client, startedAt + PROCESSING_MAX_MS)
      return performance.now() - startedAt
    },
    async search(userId, query, limit) {
      const startedAt = performance.now()
      const { data } = await client.call<SearchAnswer>('POST', '/v1/memories/search', { query, user_id: userId, limit })
      return { ids: data.map(({ metadata }) => metadata?.turn), tookMs: performance.now() - startedAt }
    },
  }
}

interface BatchAnswer {
  readonly results: readonly { readonly status: number }[]
}

interface SearchAnswer {
  readonly data: readonly { readonly metadata: { readonly turn?: string } | null }[]
}

interface ListAnswer {
  readonly data: readonly { readonly status: string }[]
}

/** Waits for the hundred memories that came last, which are a whole chunk. */
async function newestProcessed(client: BenchClient, deadline: number): Promise<void> {
  for (;;) {
    const { data } = await client.call<ListAnswer>('GET', '/v1/memories?page_size=100')
    if (!data.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) return
    if (performance.now() > deadline) throw new Error('memories are still being processed')
    await pause(POLL_MS)
  }
}
