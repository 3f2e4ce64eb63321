import { DEPTH, measure, ranksOf } from '../../plugins/search/evaluation/evaluate.ts'
import type { BenchClient } from './client.ts'
import { type Conversation, userOf } from './corpus.ts'
import type { Asked } from './report.ts'

interface SearchAnswer {
  readonly data: readonly { readonly metadata: { readonly turn?: string } | null }[]
}

export interface AskOptions {
  readonly run: string
  readonly mode: string
  readonly expand: boolean
  /** So many results of each question are looked at; {@link DEPTH} without it. */
  readonly depth?: number
}

/** Asks every question of every file among that file's own texts, one after the other. */
export async function askAll(
  client: BenchClient,
  conversations: readonly Conversation[],
  { run, mode, expand, depth = DEPTH }: AskOptions,
): Promise<{ asked: Asked[]; latenciesMs: number[] }> {
  const asked: Asked[] = []
  const latenciesMs: number[] = []
  for (const { name, questions } of conversations) {
    for (const { question, category, evidence } of questions) {
      const startedAt = performance.now()
      const { data } = await client.call<SearchAnswer>('POST', '/v1/memories/search', {
        query: question,
        user_id: userOf(run, name),
        mode,
        expand,
        limit: depth,
      })
      latenciesMs.push(performance.now() - startedAt)
      const found = data.map(({ metadata }) => metadata?.turn)
      const measures = measure(ranksOf(found.slice(0, DEPTH), evidence))
      asked.push({ file: name, category: category === undefined ? undefined : String(category), found, measures })
    }
  }
  return { asked, latenciesMs }
}
