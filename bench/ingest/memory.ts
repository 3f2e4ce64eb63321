/**
 * Ingests files that are large or made to do harm, one after the other, and says how much memory the whole service takes meanwhile (server,
 * readers and embedded database): `bun bench/ingest/memory.ts [NAME]`, where only files whose name has NAME in it are wanted.
 * An honest file is cancelled once it is read: its chunks would be embedded for minutes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { residentMb } from '../support/process-memory.ts'
import { BENCH_KEY, endBench, startBenchService } from '../support/service.ts'
import { HONEST, HOSTILE } from './heavy-files.ts'

const WANTED = process.argv[2] ?? ''
const LOOK_MS = 20
const REST_MS = 2_000

interface Job {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly progress: { readonly chunks_total: number | null }
}

const service = await startBenchService('embedded')
const { pid } = service.server
let highest = 0
console.log(`${residentMb(pid)} MB at rest`)
for (const [name, make] of Object.entries({ ...HONEST, ...HOSTILE }))
  if (name.includes(WANTED)) await ingest(name, await make())
console.log(`at most ${highest} MB`)
await service.server.kill()
await endBench()

async function ingest(name: string, bytes: Uint8Array): Promise<void> {
  const before = residentMb(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, LOOK_MS)
  const job = await readJob(await upload(name, bytes))
  clearInterval(watch)
  const outcome = job.error ?? `read, ${job.progress.chunks_total ?? 'some'} chunks`
  console.log(`${name.padEnd(36)} ${before} → ${most} MB: ${outcome}`)
  highest = Math.max(highest, most)
  await pause(REST_MS)
}

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([bytes.slice()]), name)
  const headers = { 'X-Api-Key': BENCH_KEY }
  const response = await fetch(`${service.server.url}/v1/memories/ingest`, { method: 'POST', headers, body: form })
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`)
  return ((await response.json()) as Job).id
}

/** Resolves when the job is over, or has read its file. */
async function readJob(id: string): Promise<Job> {
  for (;;) {
    const job = (await service.call('GET', `/v1/ingest-jobs/${id}`)) as Job
    if (job.status === 'FAILED' || job.status === 'COMPLETED') return job
    if (job.progress.chunks_total !== null) {
      await service.call('POST', `/v1/ingest-jobs/${id}/cancel`)
      return job
    }
    await pause(100)
  }
}
