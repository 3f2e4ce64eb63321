/**
 * Mneme against mem0ai (npm), on the same texts, questions, vectors and Postgres.
 *   bun bench/peers/mem0.ts --data FOLDER [--data FOLDER …] [--native URL]
 * FOLDER is as bench/retrieval/run.ts takes it. `--native` (or BENCH_DATABASE_URL) is a superuser's URL of a Postgres with pgvector;
 * both get an empty database of their own there. mem0 is installed into a folder outside of the project, stores texts as they
 * are (`infer: false`), gets its vectors from the built-in model over an endpoint of this process, and keeps them in pgvector.
 * Both take turns: texts in chunks of 100, timed until all of a chunk can be found by meaning, then questions one by one, the
 * first turn changing each time. Mneme is timed over HTTP, mem0 within its own process, so the HTTP is at Mneme's charge.
 */
import { parseArgs } from 'node:util'
import { DEPTH, measure, percentile, ranksOf } from '../../plugins/search/evaluation/evaluate.ts'
import { closeAll } from '../../test/support/closing.ts'
import { BenchClient } from '../retrieval/client.ts'
import { type Conversation, readConversations } from '../retrieval/corpus.ts'
import { type Asked, figures, row } from '../retrieval/report.ts'
import { BENCH_KEY, nativeServer, startBenchService } from '../support/service.ts'
import { type EmbeddingEndpoint, serveEmbeddings } from './embedding-endpoint.ts'
import { MEM0_VERSION, type Mem0, startMem0 } from './mem0-process.ts'
import { type Mneme, openMneme } from './mneme.ts'

const CHUNK = 100

const { values: options } = parseArgs({
  options: { data: { type: 'string', multiple: true }, native: { type: 'string' } },
})
const native = options.native ?? nativeServer()
if (!options.data || !native) {
  console.error('--data FOLDER and --native URL are required.')
  process.exit(2)
}
process.env.BENCH_DATABASE_URL = native

/** Records what was seen of one of the two. */
interface Side {
  readonly name: string
  readonly asked: Asked[]
  readonly searchMs: number[]
  addMs: number
}

try {
  for (const folder of options.data) await compare(folder, native)
} finally {
  await closeAll()
}
process.exit(0)

async function compare(folder: string, nativeUrl: string): Promise<void> {
  const files = await readConversations(folder)
  const endpoint = await serveEmbeddings()
  const mem0 = await startMem0(nativeUrl, endpoint.url, endpoint.dimensions)
  const { server } = await startBenchService('native')
  const mneme = openMneme(new BenchClient(server.url, BENCH_KEY))
  const sides = { mneme: side('mneme, hybrid'), mem0: side(`mem0ai ${MEM0_VERSION}, pgvector`) }
  for (const file of files) await addInTurns(file, mneme, mem0, sides)
  const embedderMs: number[] = []
  for (const file of files) await askInTurns(file, mneme, mem0, sides, endpoint, embedderMs)
  print(folder, files, [sides.mneme, sides.mem0], embedderMs)
  await closeAll()
}

function side(name: string): Side {
  return { name, asked: [], searchMs: [], addMs: 0 }
}

type Sides = Readonly<Record<'mneme' | 'mem0', Side>>

async function addInTurns({ name, turns }: Conversation, mneme: Mneme, mem0: Mem0, sides: Sides): Promise<void> {
  for (let start = 0; start < turns.length; start += CHUNK) {
    const chunk = turns.slice(start, start + CHUNK)
    await inTurns(
      start / CHUNK,
      async () => {
        sides.mneme.addMs += await mneme.add(name, chunk)
      },
      async () => {
        sides.mem0.addMs += await mem0.add(name, chunk)
      },
    )
  }
}

async function askInTurns(
  { name, questions }: Conversation,
  mneme: Mneme,
  mem0: Mem0,
  sides: Sides,
  endpoint: EmbeddingEndpoint,
  embedderMs: number[],
): Promise<void> {
  for (const [index, { question, evidence }] of questions.entries()) {
    const note = (to: Side, { ids, tookMs }: { ids: readonly unknown[]; tookMs: number }) => {
      to.searchMs.push(tookMs)
      to.asked.push({ file: name, category: undefined, found: ids, measures: measure(ranksOf(ids, evidence)) })
    }
    await inTurns(
      index,
      async () => note(sides.mneme, await mneme.search(name, question, DEPTH)),
      async () => {
        endpoint.takeMs()
        note(sides.mem0, await mem0.search(name, question, DEPTH))
        embedderMs.push(endpoint.takeMs())
      },
    )
  }
}

async function inTurns(round: number, first: () => Promise<void>, second: () => Promise<void>): Promise<void> {
  for (const go of round % 2 === 0 ? [first, second] : [second, first]) await go()
}

function print(folder: string, files: readonly Conversation[], sides: readonly Side[], embedderMs: number[]): void {
  const texts = files.reduce((sum, { turns }) => sum + turns.length, 0)
  console.log(`\n${folder}: ${texts} texts, ${sides[0]?.asked.length ?? 0} questions`)
  console.log(row('', '', ['recall@5', 'recall@10', 'recall@20', 'hit@10', 'MRR', 'p50 ms', 'p95 ms', 'texts/s']))
  for (const { name, asked, searchMs, addMs } of sides) {
    const times = [percentile(searchMs, 0.5), percentile(searchMs, 0.95), (texts * 1000) / addMs]
    console.log(
      row(name, '', [...figures(asked).map(figure => figure.toFixed(4)), ...times.map(time => time.toFixed(1))]),
    )
  }
  console.log(`of mem0's search the embedder took p50 ${percentile(embedderMs, 0.5).toFixed(1)} ms`)
  const recall10 = ({ asked }: Side, file: string) => figures(asked.filter(one => one.file === file))[1] ?? 0
  for (const { name } of files) {
    console.log(
      row(
        `recall@10 of ${name}`,
        '',
        sides.map(one => recall10(one, name).toFixed(4)),
      ),
    )
  }
}
