/**
 * Measures what learning from feedback is worth, with simulated people on a service in this process:
 *
 * - People who look for the newest note, the important one, the oldest one, or none in particular, give signals for two thirds of
 *   the subjects. Once the balance is fitted, the other third is asked for: nothing was signalled about those.
 * - People ask the questions of `bench/data`, and like the first right answer they see; one signal in five is a slip. Then the same
 *   questions are asked again, as typed and in other words, and questions that nobody gave a signal for.
 *
 *   bun bench/feedback.ts                              on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/feedback.ts
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createJobQueue } from '../core/jobs/queue.ts'
import type { Client, Json } from '../test/support/client.ts'
import { createNative } from '../test/support/database.ts'
import { startService, type TestService } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'
import { readConversations } from './retrieval/corpus.ts'
import { percentile, report } from './support/measure.ts'
import {
  generator,
  type Note,
  notesOf,
  PEOPLE,
  type Person,
  questionAbout,
  reworded,
  subjects,
} from './support/people.ts'
import { endBench, nativeServer } from './support/service.ts'

const native = nativeServer()
const service = await startService({}, native ? { url: await createNative(native) } : {})
const queue = createJobQueue()
const SEEDS = [11, 22, 33]
/** As many queries as a search looks through for similar ones. */
const QUERIES = 1_000

console.log('| person | recency, priority (three runs) | wanted first, before → after | MRR, before → after |')
console.log('|---|---|---|---|')
for (const person of PEOPLE) {
  const runs: Learned[] = []
  for (const seed of SEEDS) runs.push(await learnFrom(service, person, seed))
  const mean = (of: (run: Learned) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length
  const balances = runs.map(({ recency, priority, kept }) => (kept ? `${recency}, ${priority}` : 'default'))
  console.log(
    `| ${person.name} (${person.expected}) | ${balances.join('; ')} | ${change(
      mean(run => first(run.before)),
      mean(run => first(run.after)),
    )} | ${change(
      mean(run => mrr(run.before)),
      mean(run => mrr(run.after)),
    )} |`,
  )
}
await costOf(service)
console.log('\n| data | MRR of | before | after |')
console.log('|---|---|---|---|')
for (const folder of ['notes', 'code']) await askInOtherWords(service, folder)
await endBench()

/**
 * Holds the effect of one person's signals: the balance, and the ranks of what was wanted for subjects without signals.
 */
interface Learned {
  readonly recency: number
  readonly priority: number
  readonly kept: boolean
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** One person in a workspace of their own. */
async function learnFrom({ account, database }: TestService, person: Person, seed: number): Promise<Learned> {
  const { client, workspaceId } = await account()
  const random = generator(seed)
  const notes = notesOf(seed)
  const ids = await store(
    client,
    notes.map(({ text, priority }) => ({ memory: text, priority })),
  )
  const byId = new Map(ids.map((id, index) => [id, notes[index] as Note]))
  const ages = JSON.stringify(ids.map((id, index) => ({ id, days: notes[index]?.ageDays })))
  await database.system(async tx => {
    for (const [table, column] of [
      ['memories.memory', 'id'],
      ['search.document', 'memory_id'],
      ['search.embedding', 'memory_id'],
    ] as const) {
      await tx`
        update ${tx.unsafe(table)} as stored
        set created_at = now() - make_interval(days => given.days)
        from jsonb_to_recordset(${ages}::text::jsonb) as given (id uuid, days integer)
        where stored.workspace_id = ${workspaceId}
          and stored.${tx.unsafe(column)} = given.id`
    }
  })
  const wanted = wantedOf(notes, person, random)
  const known = subjects.filter((_, n) => n % 3 !== 0)
  const others = subjects.filter((_, n) => n % 3 === 0)
  const before = await ranksOf(client, others, byId, wanted)
  for (const [n, subject] of known.entries()) {
    const { data, query_hash } = await ask(client, questionAbout(subject, n))
    const meant = data.findIndex((found: Json) => byId.get(found.id) === wanted.get(subject))
    const shown = random() < person.slips || meant < 0 ? Math.floor(random() * data.length) : meant
    await client.post(`/v1/memories/${data[shown].id}/feedback`, { signal: 'POSITIVE', query_hash })
  }
  const balance = await fitted(client, workspaceId)
  const after = await ranksOf(client, others, byId, wanted)
  return { recency: balance.recency, priority: balance.priority, kept: balance.outcome === 'KEPT', before, after }
}

function wantedOf(notes: readonly Note[], person: Person, random: () => number): Map<string, Note> {
  const best = new Map<string, { note: Note; value: number }>()
  for (const note of notes) {
    const value = person.value(note, random)
    if (value > (best.get(note.subject)?.value ?? Number.NEGATIVE_INFINITY)) best.set(note.subject, { note, value })
  }
  return new Map([...best].map(([subject, { note }]) => [subject, note]))
}

async function ranksOf(
  client: Client,
  asked: readonly string[],
  byId: ReadonlyMap<string, Note>,
  wanted: ReadonlyMap<string, Note>,
): Promise<number[]> {
  const ranks: number[] = []
  for (const [n, subject] of asked.entries()) {
    const { data } = await ask(client, questionAbout(subject, n))
    ranks.push(data.findIndex((found: Json) => byId.get(found.id) === wanted.get(subject)) + 1)
  }
  return ranks
}

/** Runs the fit as the hourly task does, and answers with what came of it. */
async function fitted(client: Client, workspaceId: string): Promise<Json> {
  await until('the searches are logged', async () => {
    const [row] = await service.database.system(
      tx => tx<{ waiting: number }[]>`
        select count(*) as waiting
        from search.feedback
        where workspace_id = ${workspaceId}
          and not exists (
            select from search.query_log
            where query_log.workspace_id = feedback.workspace_id and query_log.query_hash = feedback.query_hash
          )`,
    )
    return row?.waiting === 0
  })
  const job = { task: 'search:fit-balance', payload: { workspace_id: workspaceId } }
  await service.database.system(tx => queue.enqueue(tx, [job]))
  return until(
    'the balance is fitted',
    async () => {
      const { body } = await client.get('/v1/search/balance')
      return body.checked_at !== null && body
    },
    120_000,
  )
}

/** The questions of a data folder: half of those with an answer in sight get signals. */
async function askInOtherWords({ account }: TestService, folder: string): Promise<void> {
  const { client } = await account()
  const random = generator(7)
  const files = await readConversations(fileURLToPath(new URL(`data/${folder}/`, import.meta.url)))
  const questions: { question: string; user: string; evidence: Set<string> }[] = []
  for (const { name, turns, questions: asked } of files) {
    const ids = await store(
      client,
      turns.map(({ text, session }) => ({ memory: text, user_id: name, ...(session ? { session_id: session } : {}) })),
    )
    const idOf = new Map(turns.map((turn, index) => [turn.id, ids[index] ?? '']))
    for (const { question, evidence } of asked) {
      questions.push({ question, user: name, evidence: new Set(evidence.map(id => idOf.get(id) ?? '')) })
    }
  }
  const signalled = questions.filter((_, n) => n % 2 === 0)
  const silent = questions.filter((_, n) => n % 2 === 1)
  const measured = async (asked: typeof questions, words: (question: string, n: number) => string) => {
    const ranks: number[] = []
    for (const [n, { question, user, evidence }] of asked.entries()) {
      const { data } = await ask(client, words(question, n), user)
      ranks.push(data.findIndex((found: Json) => evidence.has(found.id)) + 1)
    }
    return mrr(ranks)
  }
  const asTyped = (question: string) => question
  const all = async () => [
    await measured(signalled, asTyped),
    await measured(signalled, reworded),
    await measured(silent, asTyped),
  ]
  const before = await all()
  for (const { question, user, evidence } of signalled) {
    const { data, query_hash } = await ask(client, question, user)
    const right = data.findIndex((found: Json) => evidence.has(found.id))
    if (right < 0) continue
    const shown = random() < 0.2 ? Math.floor(random() * data.length) : right
    await client.post(`/v1/memories/${data[shown].id}/feedback`, { signal: 'POSITIVE', query_hash })
  }
  const after = await all()
  const rows = [
    `${signalled.length} questions that got one signal`,
    'the same in other words',
    `${silent.length} other questions`,
  ]
  for (const [n, row] of rows.entries()) {
    console.log(`| ${folder} | ${row} | ${share(before[n] ?? 0)} | ${share(after[n] ?? 0)} |`)
  }
}

async function store(client: Client, memories: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < memories.length; from += 100) {
    const { body } = await client.post('/v1/memories/batch', { memories: memories.slice(from, from + 100) })
    ids.push(...body.results.map(({ memory }: Json) => memory.id))
  }
  await until(
    'the memories are processed',
    async () => (await client.get(`/v1/memories/${ids.at(-1)}`)).body.status === 'COMPLETED',
    300_000,
  )
  await until(
    'all of them',
    async () => {
      const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_, n) => n + 1)
      const lists = await Promise.all(
        pages.map(page => client.get('/v1/memories', { query: { page, page_size: 100 } })),
      )
      return lists.every(({ body }) => body.data.every(({ status }: Json) => status === 'COMPLETED'))
    },
    300_000,
  )
  return ids
}

async function ask(client: Client, query: string, user?: string): Promise<Json> {
  const { body } = await client.post('/v1/memories/search', { query, ...(user ? { user_id: user } : {}) })
  return body
}

/** Ranks count from 1; 0 is not found. */
function mrr(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length
}

function first(ranks: readonly number[]): number {
  return ranks.filter(rank => rank === 1).length / ranks.length
}

function share(value: number): string {
  return value.toFixed(3)
}

function change(before: number, after: number): string {
  return `${share(before)} → ${share(after)}`
}

/**
 * Measures what a search costs more once there are signals for as many queries as it ever looks through; both in turn.
 */
async function costOf({ account, database }: TestService): Promise<void> {
  const notes = notesOf(1).map(({ text }) => ({ memory: text }))
  const [plain, signalled] = [await account(), await account()]
  await store(plain.client, notes)
  const [first = ''] = await store(signalled.client, notes)
  await database.workspace(signalled.workspaceId, async tx => {
    await tx`
      insert into search.feedback_query (workspace_id, query_hash, model, embedding, marks, last_signal_at)
      select embedding.workspace_id, round || embedding.memory_id::text, embedding.model, embedding.embedding, '', now()
      from search.embedding
      cross join generate_series(1, 4) as round
      limit ${QUERIES}`
    await tx`
      insert into search.feedback (
        workspace_id, query_hash, memory_id, positive, negative, neutral, last_signal, last_signal_at
      )
      select query.workspace_id, query.query_hash, ${first}::uuid, 1, 0, 0, 'POSITIVE', now()
      from search.feedback_query as query`
  })
  // The service looks again after five seconds whether there are signals that it did not take in itself.
  await pause(6000)
  const times = { without: [] as number[], with: [] as number[] }
  for (let n = 0; n < 300; n++) {
    const question = questionAbout(subjects[n % subjects.length] ?? '', n)
    for (const [name, client] of [
      ['without', plain.client],
      ['with', signalled.client],
    ] as const) {
      const startedAt = performance.now()
      await ask(client, question)
      if (n >= 50) times[name].push(performance.now() - startedAt)
    }
  }
  report('search without signals, p50', percentile(times.without, 0.5), 'ms')
  report(`search with signals for ${QUERIES} queries, p50`, percentile(times.with, 0.5), 'ms')
}
