/**
 * Measures whether an agent is told what holds now. Each pair of an earlier and a later statement belongs to a user of its own and is dated by
 * `said_at`; no language model. The pairs were written by somebody who did not know how the service works.
 *
 *   bun bench/holds/run.ts [PAIRS.json] [native|embedded] [apart|together]
 *
 * `together` gives all pairs to one user, whose memories are as many as the statements.
 *
 * A pair has `old`, `new`, `old_at`, `new_at`, `question`, and `current` and `stale`: texts of which an answer holds one. Of a pair with `both_hold`
 * neither statement may be told as over.
 */
import { readFileSync } from 'node:fs'
import { report } from '../support/measure.ts'
import { endBench, fill, settled, startBenchService } from '../support/service.ts'

interface Pair {
  readonly id: string
  readonly register: string
  readonly old: string
  readonly new: string
  readonly old_at: string
  readonly new_at: string
  readonly question: string
  readonly current: readonly string[]
  readonly stale: readonly string[]
  readonly both_hold?: boolean
}

interface Context {
  readonly context: string
}
interface Found {
  readonly data: readonly {
    id: string
    memory: string
    ended_at: string | null
    superseded_by: string[]
    newer: string[]
  }[]
}
interface Answer {
  readonly answer: string
  readonly confidence: number
}

const [, , file = new URL('./pairs.json', import.meta.url).pathname, kind = 'native', users = 'apart'] = process.argv
const pairs: readonly Pair[] = JSON.parse(readFileSync(file, 'utf8'))
const service = await startBenchService(kind === 'embedded' ? 'embedded' : 'native')
const { call, server } = service

for (const part of ['old', 'new'] as const) {
  const memories = pairs.map(pair => ({
    memory: pair[part],
    user_id: userOf(pair),
    metadata: { said_at: part === 'old' ? pair.old_at : pair.new_at },
  }))
  await call('POST', '/v1/memories/batch', { memories })
}
await fill(service, [])
const {
  data: [first],
} = (await call('GET', '/v1/memories?page_size=1')) as { data: { workspace_id: string }[] }
const workspaceId = first?.workspace_id
await settled(server.url)

const outcomes: Awaited<ReturnType<typeof judged>>[] = []
for (const pair of pairs) outcomes.push(await judged(pair))
const changed = outcomes.filter(({ pair }) => !pair.both_hold)
const both = outcomes.filter(({ pair }) => pair.both_hold)
const share = (name: string, part: readonly unknown[], whole: readonly unknown[], target = '') =>
  report(`${name} (${part.length} of ${whole.length})`, (100 * part.length) / whole.length, '%', target)

share(
  'context: new before old, or old marked',
  changed.filter(one => one.inContext === 'right'),
  changed,
  'at least 90',
)
share(
  'context: neither is there',
  changed.filter(one => one.inContext === 'silent'),
  changed,
)
share(
  'context: the old one alone, unmarked',
  changed.filter(one => one.inContext === 'stale'),
  changed,
)
const sum = (of: (one: (typeof outcomes)[number]) => number) => outcomes.reduce((total, one) => total + of(one), 0)
report('context: lines marked as earlier', (100 * sum(one => one.marked)) / sum(one => one.lines), '%')
share(
  'search: old names the new one',
  changed.filter(one => one.isNamed),
  changed,
)
share(
  'profile: tells only the old value',
  changed.filter(one => one.profile === 'stale'),
  changed,
  'at most 2',
)
share(
  'profile: tells the new value',
  changed.filter(one => one.profile === 'right'),
  changed,
)
share(
  'graph: right',
  changed.filter(one => one.graph === 'right'),
  changed,
)
share(
  'graph: stale told as current',
  changed.filter(one => one.graph === 'stale'),
  changed,
  'at most 2',
)
share(
  'both hold: one is told as over',
  both.filter(one => one.isOver),
  both,
)
if (process.env.DETAILS) {
  for (const { pair, ...one } of outcomes)
    console.log(JSON.stringify({ id: pair.id, ...one, old: pair.old, new: pair.new }))
}
await endBench()

async function judged(pair: Pair) {
  const user_id = userOf(pair)
  const { context } = (await call('POST', '/v1/context', { query: pair.question, user_id })) as Context
  const found = (await call('POST', '/v1/memories/search', { query: pair.question, user_id })) as Found
  const old = found.data.find(({ memory }) => memory === pair.old)
  const later = found.data.find(({ memory }) => memory === pair.new)
  const { profile } = (await call('GET', `/v1/memories/profile/${workspaceId}/${user_id}`)) as {
    profile: { summary: string } | null
  }
  const answer = (await call('POST', '/v1/graph/query', { query: pair.question, user_id })) as Answer
  return {
    pair,
    inContext: contextOutcome(pair, context),
    lines: context.split('\n- ').length - 1,
    marked: context.split('(earlier)').length - 1,
    isNamed: later !== undefined && (old?.newer.includes(later.id) || old?.superseded_by.includes(later.id)) === true,
    profile: told(pair, profile?.summary ?? ''),
    graph: told(pair, answer.confidence > 0.5 ? answer.answer : ''),
    summary: profile?.summary,
    answer: `${answer.confidence} ${answer.answer}`,
    isOver: [old, later].some(one => one !== undefined && (one.ended_at !== null || one.superseded_by.length > 0)),
  }
}

function contextOutcome(pair: Pair, context: string): 'right' | 'wrong' | 'silent' | 'stale' {
  const [, memories = ''] = context.split('## Memories')
  const lines = memories.split('\n- ')
  const place = (text: string) => lines.findIndex(line => line.includes(text.slice(0, 40)))
  const [old, later] = [place(pair.old), place(pair.new)]
  if (later === -1 && old === -1) return 'silent'
  if (old === -1 || (later !== -1 && later < old)) return 'right'
  const isMarked = /^\S+(?: \S+)? \((?:earlier|holds no more)\)/.test(lines[old] ?? '')
  if (isMarked) return 'right'
  return later === -1 ? 'stale' : 'wrong'
}

function told(pair: Pair, text: string): 'right' | 'stale' | 'none' {
  const has = (values: readonly string[]) => values.some(value => text.toLowerCase().includes(value.toLowerCase()))
  if (has(pair.current)) return 'right'
  return has(pair.stale) ? 'stale' : 'none'
}

function userOf(pair: Pair): string {
  return users === 'together' ? 'ada' : pair.id
}
