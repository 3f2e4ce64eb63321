/**
 * Quality of retrieval on texts with known answers.
 *   bun bench/retrieval/run.ts --data FOLDER|FILE [--sessions] [--sample N] [--data FOLDER …] [--mode hybrid] [--expand] [--native URL] [--ablate] [--plain] [--mem0] [--typesense fake|URL]
 *   bun bench/retrieval/run.ts --data FOLDER --base http://127.0.0.1:3000 --key mn_live_… [--run NAME]
 * FOLDER holds JSON files `{turns: [{id, session?, date?, text}], questions: [{question, category?, evidence: [turn id]}]}`, as those
 * in bench/data do; LoCoMo (Maharana et al. 2024) in the same form is a folder of conversations. Each turn becomes a memory of the
 * file's own user, each question a search among the memories of its file.
 * `--data` also reads LoCoMo, LongMemEval and ConvoMem as published (published.ts), and then prints recall of whole sessions, too, as
 * `--sessions` does for every folder. `--sample N` takes N of the conversations.
 * Without `--base` each folder is loaded into a database of its own, the embedded one or, with `--native`, one that is made on
 * that server. With `--base` a running server is measured: its workspace should be empty and its RATE_LIMIT off, and `--run NAME`
 * of an earlier run searches again what that one stored.
 * `--typesense` searches through a Typesense index: a real one, with its key in TYPESENSE_API_KEY, or the tests' fake.
 * `--ablate` also ranks without each signal in turn, and prints what each of them is worth.
 * `--plain` also asks by plain methods, `--mem0` (with `--native`) by them and by mem0ai, set up as bench/peers/mem0.ts does; either
 * prints a table of all folders at the end.
 */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from '../../plugins/search/evaluation/evaluate.ts'
import { closeAll } from '../../test/support/closing.ts'
import { askMem0 } from '../peers/ask-mem0.ts'
import { ablate } from './ablate.ts'
import { askAll } from './ask.ts'
import { capture } from './capture.ts'
import { BenchClient } from './client.ts'
import { type Conversation, loadConversations, readConversations } from './corpus.ts'
import { emptyStore, openInProcess } from './in-process.ts'
import { askPlain } from './plain-methods.ts'
import { readPublished, sampled } from './published.ts'
import { printReport } from './report.ts'
import { printSessions } from './sessions.ts'
import { type Family, printTable } from './table.ts'
import { everythingSent, fallbacks, openIndex } from './typesense.ts'
import { openVectors } from './vectors.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    mode: { type: 'string', default: 'hybrid' },
    expand: { type: 'boolean', default: false },
    native: { type: 'string' },
    base: { type: 'string' },
    key: { type: 'string', default: process.env.MNEME_API_KEY ?? '' },
    run: { type: 'string' },
    ablate: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    mem0: { type: 'boolean', default: false },
    typesense: { type: 'string' },
    sessions: { type: 'boolean', default: false },
    sample: { type: 'string' },
  },
})
/** As deep as a search goes; ten sessions can lie behind many texts of the first ones. */
const SESSIONS_DEPTH = 100

if (!options.data) throw new Error('--data FOLDER is required')
if (options.base && (options.ablate || options.typesense))
  throw new Error('--ablate and --typesense start a service of their own, so they cannot use that of --base')

if (options.mem0 && !options.native) throw new Error('--mem0 keeps its texts in a Postgres with pgvector: --native URL')

try {
  const families: Family[] = []
  for (const folder of options.data) families.push(await measureFolder(folder))
  if (options.plain || options.mem0) printTable(families)
} finally {
  await closeAll()
}
process.exit(0)

async function measureFolder(folder: string): Promise<Family> {
  const published = await readPublished(folder)
  const everyOne = published ?? (await readConversations(folder))
  const conversations = options.sample ? sampled(everyOne, Number(options.sample)) : everyOne
  const ofSessions = published !== undefined || options.sessions
  console.log(`\n${folder}: ${count(conversations, 'turns')} texts, ${count(conversations, 'questions')} questions`)
  const store = options.base ? undefined : await emptyStore(options.native)
  const index = options.typesense ? await openIndex(options.typesense) : undefined
  if (index) console.log(`searches go through ${index.description}`)
  const own = store ? await openInProcess(store, index?.settings) : undefined
  const client = own?.client ?? new BenchClient(options.base ?? '', options.key)
  const run = options.run ?? `run-${Date.now().toString(36)}`
  if (!options.run) {
    const { acceptedMs, searchableMs } = await loadConversations(client, conversations, run)
    const again = options.base ? ` Search them again with --run ${run}` : ''
    console.log(`accepted in ${seconds(acceptedMs)}, all searchable after ${seconds(searchableMs)}.${again}`)
  }
  if (own && index) await everythingSent(own.metrics)
  const how = { run, mode: options.mode, expand: options.expand, ...(ofSessions && { depth: SESSIONS_DEPTH }) }
  const { asked, latenciesMs } = await askAll(client, conversations, how)
  printReport(asked)
  if (ofSessions) printSessions(conversations, asked)
  console.log(
    `search p50 ${percentile(latenciesMs, 0.5).toFixed(1)} ms, p95 ${percentile(latenciesMs, 0.95).toFixed(1)} ms`,
  )
  if (own && index) console.log(`answered by Postgres because Typesense was away: ${await fallbacks(own.metrics)}`)
  await own?.stop()
  if (store && options.ablate) ablate(await capture(store, conversations, how))
  const others = await askOthers(conversations)
  await closeAll()
  return { name: basename(folder), mneme: asked, ...others }
}

async function askOthers(conversations: readonly Conversation[]): Promise<Pick<Family, 'plain' | 'mem0'>> {
  if (!options.plain && !options.mem0) return { plain: new Map(), mem0: undefined }
  const embedder = await openVectors()
  const plain = await askPlain(conversations, embedder)
  const mem0 = options.mem0 ? await askMem0(options.native ?? '', conversations, embedder) : undefined
  return { plain, mem0 }
}

function count(conversations: readonly Conversation[], of: 'turns' | 'questions'): number {
  return conversations.reduce((sum, conversation) => sum + conversation[of].length, 0)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
