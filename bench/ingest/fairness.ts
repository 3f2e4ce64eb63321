/**
 * Measures other requests of the service while it imports a PDF of 2,000 pages, against the same requests on the idle service:
 *   BENCH_DATABASE_URL=postgres://… bun bench/ingest/fairness.ts [PAGES]
 * 6,500 pages are the compressed PDF of 20 MB.
 * One user lists, searches and stores in turn, and waits for each stored memory to be processed; the import is another user's.
 */
import { completions } from '../support/completion.ts'
import { elapsed, freshText, percentile, report } from '../support/measure.ts'
import { BENCH_KEY, endBench, fill, startBenchService } from '../support/service.ts'
import { book } from './book.ts'
import { makePdf } from './pdf.ts'

const PAGES = Number(process.argv[2] ?? 2000)
const ROUNDS = 60
const COMPLETIONS = 20
const PAUSE_MS = 5

type Samples = Readonly<Record<'list' | 'search' | 'store', number[]>>

const { bytes } = await makePdf(book(PAGES * 15), { header: 'The book', pagesMax: PAGES })
const service = await startBenchService('native')
const texts = Array.from({ length: 500 }, (_, n) => freshText(n))
await fill(service, texts, { user_id: 'other' })
await rounds()
const idle = await rounds()
const idleCompletions = await completions(service.call, COMPLETIONS, PAUSE_MS)
const job = await upload()
const busy = await rounds()
const busyCompletions = await completions(service.call, COMPLETIONS, PAUSE_MS)
const { status, progress } = await job.look()
if (status !== 'PENDING' && status !== 'PROCESSING')
  throw new Error(`the import was ${status} too soon: the figures say nothing`)
for (const kind of ['list', 'search', 'store'] as const) show(kind, idle[kind], busy[kind])
show('a stored memory to COMPLETED', idleCompletions, busyCompletions)
console.log(`at the end ${progress.chunks_done} of ${progress.chunks_total} chunks of the import were done`)
await service.server.kill()
await endBench()

function show(kind: string, before: readonly number[], during: readonly number[]): void {
  report(`${kind}, idle, p95`, percentile(before, 0.95), 'ms')
  report(`${kind}, during the import, p95`, percentile(during, 0.95), 'ms')
  report(`${kind}, ratio`, percentile(during, 0.95) / percentile(before, 0.95), '', 'at most 3')
}

async function rounds(): Promise<Samples> {
  const samples: Samples = { list: [], search: [], store: [] }
  for (let n = 0; n < ROUNDS; n++) {
    samples.list.push(await elapsed(() => service.call('GET', '/v1/memories?user_id=other&page_size=20')))
    const query = `who spoke about the garden party in ${n} weeks`
    samples.search.push(await elapsed(() => service.call('POST', '/v1/memories/search', { query, user_id: 'other' })))
    samples.store.push(
      await elapsed(() => service.call('POST', '/v1/memories', { memory: freshText(n), user_id: 'other' })),
    )
  }
  return samples
}

interface Job {
  readonly id: string
  readonly status: string
  readonly progress: { readonly chunks_total: number | null; readonly chunks_done: number }
}

async function upload(): Promise<{ look(): Promise<Job> }> {
  const form = new FormData()
  form.set('user_id', 'importer')
  form.set('file', new Blob([bytes.slice()], { type: 'application/pdf' }), 'book.pdf')
  const response = await fetch(`${service.server.url}/v1/memories/ingest`, {
    method: 'POST',
    headers: { 'X-Api-Key': BENCH_KEY },
    body: form,
  })
  if (response.status !== 202)
    throw new Error(`the upload was answered with ${response.status}: ${await response.text()}`)
  const { id } = (await response.json()) as Job
  return { look: async () => (await service.call('GET', `/v1/ingest-jobs/${id}`)) as Job }
}
