/**
 * Search over 10,000 texts of 2,000 characters, beside as many of 200 in another workspace of the same server: questions of 50 and of 1,000
 * characters over HTTP, the bare embedding of the same questions, and plain SQL for the candidates. All take turns, so that other load on
 * the machine meets them alike. The texts are prose, the passages of long ones as the product stores them. Native Postgres only.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/long-texts.ts [--size 10000] [--rounds 100] [--real 400]
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createEmbedder } from '../core/models/create-embedder.ts'
import { Bulk } from './support/bulk.ts'
import { embedAlone } from './support/indexing.ts'
import { elapsed, percentile, report } from './support/measure.ts'
import type { Place } from './support/places.ts'
import { proseText } from './support/prose-texts.ts'
import { rawSearch } from './support/raw-search.ts'
import { caller, endBench, startBenchService } from './support/service.ts'
import { embeddedSource } from './support/vectors.ts'

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '100' },
    real: { type: 'string', default: '400' },
  },
})
const [size, rounds, real] = [Number(options.size), Number(options.rounds), Number(options.real)]
const WARM_UP = 20
const QUESTION = 50
const LONG_QUESTION = 1000
/** Questions come from other places of the prose than texts. */
const QUESTIONS_FROM = 1_000_000

const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await embedder.ready()
// Jobs would embed again what is put in with its vectors.
const service = await startBenchService('native', { WORKERS: 'none' })
const databaseUrl = service.databaseUrl ?? ''
const short = await stored('short', 200)
const long = await stored('long', 2000)
await service.server.stop()
for (const { bulk } of [short, long]) {
  await bulk.embed()
  await bulk.settle()
}
// The service looks for indexes over vectors when it starts, and so does not have to be waited for.
const server = await service.restart()
const raw = await rawSearch(databaseUrl)

const MEASURED = {
  'short texts: hybrid': n => search(short.place, question(n), 'hybrid'),
  'short texts: hybrid, a long question': n => search(short.place, longQuestion(n), 'hybrid'),
  'long texts: hybrid': n => search(long.place, question(n), 'hybrid'),
  'long texts: semantic': n => search(long.place, question(n), 'semantic'),
  'long texts: keyword': n => search(long.place, question(n).split(' ').slice(1, 4).join(' '), 'keyword'),
  'long texts: hybrid, a long question': n => search(long.place, longQuestion(n), 'hybrid'),
  'bare embedding of a question': n => embed(question(n)),
  'bare embedding of a long question': n => embed(longQuestion(n)),
  'long texts: raw SQL, best 100 by words': n => raw.words(long.place.id, question(n)),
  'long texts: raw SQL, best 100 by words of a long question': n => raw.words(long.place.id, longQuestion(n)),
  'long texts: raw SQL, best 100 by meaning': async n => raw.meaning(long.place.id, await vectorOf(n)),
} satisfies Record<string, (n: number) => Promise<unknown>>
type Name = keyof typeof MEASURED
const names = Object.keys(MEASURED) as Name[]
const vectors = new Map<number, Float32Array>()

const times = new Map<Name, number[]>(names.map(name => [name, []]))
for (let round = -WARM_UP; round < rounds; round++) {
  // Each has a question of its own, so that no cache of embeddings answers it.
  for (const [index, name] of names.entries()) {
    const n = QUESTIONS_FROM + (round + WARM_UP) * names.length + index
    if (name.endsWith('by meaning')) await vectorOf(n)
    const took = await elapsed(() => MEASURED[name](n))
    if (round >= 0) times.get(name)?.push(took)
  }
}
const p50 = (name: Name) => percentile(times.get(name) ?? [], 0.5)
for (const name of names) {
  report(`${name}, p50`, p50(name), 'ms', name === 'long texts: hybrid' ? 'at most 30' : '')
  report(`${name}, p95`, percentile(times.get(name) ?? [], 0.95), 'ms')
}
report('hybrid over long texts / over short ones', p50('long texts: hybrid') / p50('short texts: hybrid'), '')
report(
  'hybrid over long texts / (raw SQL + embedding)',
  p50('long texts: hybrid') /
    (p50('long texts: raw SQL, best 100 by words') +
      p50('long texts: raw SQL, best 100 by meaning') +
      p50('bare embedding of a question')),
  '',
)
report(
  'a long question / a short one, over long texts',
  p50('long texts: hybrid, a long question') / p50('long texts: hybrid'),
  '',
  'at most 4',
)
report(
  'a long question / a short one, over short texts',
  p50('short texts: hybrid, a long question') / p50('short texts: hybrid'),
  '',
  'at most 4',
)
console.log(`${size} texts of each length, ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`)

await raw.close()
await server.stop()
for (const { bulk } of [short, long]) await bulk.close()
await embedder.close()
await endBench()

/** Makes a workspace with texts of this length, whose vectors are still to come. */
async function stored(name: string, characters: number): Promise<{ place: Place; bulk: Bulk }> {
  const text = (n: number) => proseText(n, characters)
  const { embeddings } = await embedAlone(
    embedder,
    Array.from({ length: real }, (_, n) => text(n)),
  )
  const source = embeddedSource(embedder, text, embeddings)
  const bulk = await Bulk.open(service.server.url, databaseUrl, source)
  const place = await bulk.makePlace(name)
  await bulk.fill(place, 0, size)
  const passages = Array.from({ length: size }, (_, n) => source.passagesOf(n).length)
  console.log(
    `${size} texts of ${characters} characters, ${passages.filter(Boolean).length} of them with ${passages.reduce((sum, count) => sum + count, 0)} passages`,
  )
  return { place, bulk }
}

function question(n: number): string {
  return proseText(n, QUESTION)
}

function longQuestion(n: number): string {
  return proseText(n, LONG_QUESTION)
}

function search({ key }: Place, query: string, mode: 'hybrid' | 'semantic' | 'keyword'): Promise<unknown> {
  return caller(server.url, key)('POST', '/v1/memories/search', { query, mode })
}

async function embed(text: string): Promise<Float32Array> {
  const [embedding] = await embedder.embed([text], { priority: 'query' })
  return embedding?.vector ?? new Float32Array(embedder.dimensions)
}

async function vectorOf(n: number): Promise<Float32Array> {
  const vector = vectors.get(n) ?? (await embed(question(n)))
  vectors.set(n, vector)
  return vector
}
