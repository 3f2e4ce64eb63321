import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchClient } from './client.ts'

/** One file of a data folder: texts in the order of their sessions, and questions with the ids of the texts that answer them. */
export interface Conversation {
  readonly name: string
  readonly turns: readonly { id: string; session?: string; date?: string; text: string }[]
  readonly questions: readonly {
    question: string
    category?: number | string | undefined
    evidence: readonly string[]
    /** The sessions with the answer, where they are more than those of the evidence. */
    sessions?: readonly string[]
  }[]
}

export async function readConversations(folder: string): Promise<Conversation[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async name => ({
      name: basename(name, '.json'),
      ...JSON.parse(await readFile(join(folder, name), 'utf8')),
    })),
  )
}

const BATCH = 100
const POLL_MS = 500
const PROCESSING_MAX_MS = 30 * 60_000

interface BatchAnswer {
  readonly results: readonly { readonly status: number; readonly error?: { message: string } }[]
}

/** Stores every turn as a memory of the user `run-name`, and waits until all can be found by meaning. */
export async function loadConversations(
  client: BenchClient,
  conversations: readonly Conversation[],
  run: string,
): Promise<{ acceptedMs: number; searchableMs: number }> {
  const startedAt = performance.now()
  await allowOneTextForEachUser(client)
  for (const { name, turns } of conversations) {
    for (let start = 0; start < turns.length; start += BATCH) {
      const memories = turns.slice(start, start + BATCH).map(turn => ({
        memory: turn.text,
        user_id: userOf(run, name),
        session_id: turn.session,
        metadata: { turn: turn.id, date: turn.date ?? null },
      }))
      const { results } = await client.call<BatchAnswer>('POST', '/v1/memories/batch', { memories })
      // A text that is there twice is refused the second time; the first one answers for both.
      const failed = results.find(({ status }) => status !== 201 && status !== 409)
      if (failed) throw new Error(`a memory was refused: ${failed.error?.message}`)
    }
  }
  const acceptedMs = performance.now() - startedAt
  await Promise.all(conversations.map(({ name }) => processed(client, userOf(run, name))))
  return { acceptedMs, searchableMs: performance.now() - startedAt }
}

/** Several conversations can hold the same text, as those do that share some sessions. */
async function allowOneTextForEachUser(client: BenchClient): Promise<void> {
  const { data } = await client.call<{ data: { id: string }[] }>('GET', '/v1/workspaces')
  const settings = { uniqueness: 'user' }
  for (const { id } of data) await client.call('PATCH', `/v1/workspaces/${id}`, { settings })
}

export function userOf(run: string, name: string): string {
  return `${run}-${name}`
}

interface ListAnswer {
  readonly data: readonly { readonly status: string }[]
  readonly total: number
}

async function processed(client: BenchClient, userId: string): Promise<void> {
  const deadline = performance.now() + PROCESSING_MAX_MS
  for (let page = 1; ; ) {
    const path = `/v1/memories?user_id=${encodeURIComponent(userId)}&page_size=100&page=${page}`
    const { data, total } = await client.call<ListAnswer>('GET', path)
    if (data.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) {
      if (performance.now() > deadline) throw new Error('memories are still being processed')
      await pause(POLL_MS)
    } else if (page++ * 100 >= total) return
  }
}
