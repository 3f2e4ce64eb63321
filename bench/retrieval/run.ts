/**
 * Retrieval quality of a running server over its public API.
 *   bun bench/retrieval/run.ts --base http://127.0.0.1:3000 --key mn_live_… --data FOLDER [--mode hybrid] [--expand] [--run NAME]
 * FOLDER holds JSON files `{turns: [{id, session, date, text}], questions: [{question, category, evidence: [turn id]}]}`, such as
 * the LoCoMo conversations (Maharana et al. 2024). Each turn becomes a memory, each question a search among the memories of its
 * file. Use an empty workspace and a server started with RATE_LIMIT=off; with `--run NAME` of an earlier run nothing is
 * stored and its memories are searched again.
 */
import { parseArgs } from 'node:util'
import { BenchClient } from './client.ts'
import { type Conversation, loadConversations, readConversations, userOf } from './corpus.ts'
import { type Measures, mean, measure, percentile } from './measures.ts'

const DEPTH = 20

const { values: options } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:3000' },
    key: { type: 'string', default: process.env.MNEME_API_KEY ?? '' },
    data: { type: 'string' },
    mode: { type: 'string', default: 'hybrid' },
    expand: { type: 'boolean', default: false },
    run: { type: 'string' },
  },
})
if (!options.data) throw new Error('--data FOLDER is required')

const client = new BenchClient(options.base, options.key)
const conversations = await readConversations(options.data)
const run = options.run ?? `run-${Date.now().toString(36)}`
if (!options.run) {
  const { acceptedMs, searchableMs } = await loadConversations(client, conversations, run)
  const turns = conversations.reduce((sum, { turns }) => sum + turns.length, 0)
  console.log(
    `${turns} memories: accepted in ${seconds(acceptedMs)}, all searchable after ${seconds(searchableMs)} ` +
      `(${((turns / searchableMs) * 1000).toFixed(0)}/s). Search them again with --run ${run}`,
  )
}

interface SearchAnswer {
  readonly data: readonly { readonly metadata: { readonly turn?: string } | null }[]
}

const latencies: number[] = []
const byGroup = new Map<string, Measures[]>()
for (const conversation of conversations) await askAll(conversation)

console.log('group                n    recall@5  recall@10 recall@20 MRR')
for (const group of [...byGroup.keys()].sort()) {
  const all = byGroup.get(group) ?? []
  const { recall5, recall10, recall20, reciprocalRank } = mean(all)
  const figures = [recall5, recall10, recall20, reciprocalRank].map(figure => figure.toFixed(4).padEnd(9))
  console.log(`${group.padEnd(20)} ${String(all.length).padEnd(4)} ${figures.join(' ')}`)
}
console.log(`search p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p95 ${percentile(latencies, 0.95).toFixed(1)} ms`)

async function askAll({ name, questions }: Conversation): Promise<void> {
  for (const { question, category, evidence } of questions) {
    const startedAt = performance.now()
    const { data } = await client.call<SearchAnswer>('POST', '/v1/memories/search', {
      query: question,
      user_id: userOf(run, name),
      mode: options.mode,
      expand: options.expand,
      limit: DEPTH,
    })
    latencies.push(performance.now() - startedAt)
    const measures = measure(
      data.map(({ metadata }) => metadata?.turn),
      evidence,
    )
    for (const group of ['all', `file ${name}`, ...(category === undefined ? [] : [`category ${category}`])]) {
      byGroup.set(group, [...(byGroup.get(group) ?? []), measures])
    }
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
