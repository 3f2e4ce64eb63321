/**
 * Imports an archive of many memories into an empty workspace, exports it again, and compares both files field by field, with
 * the memory that the server needs meanwhile; then fills a workspace through the API, copies it by export and import, and
 * compares lists, histories and searches.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/exports/round-trip.ts [native|embedded] [memories]
 */

import { createWriteStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { closeAll } from '../../test/support/closing.ts'
import { temporaryFolder } from '../../test/support/database.ts'
import { elapsed, percentile, report } from '../support/measure.ts'
import { type Watched, watchMemory } from '../support/resident.ts'
import { BENCH_KEY, type BenchService, caller, fill, startBenchService } from '../support/service.ts'
import { addTenant } from '../support/tenants.ts'
import { variedQuestion, variedText } from '../support/varied-texts.ts'
import { compareArchives, writeArchive } from './archive.ts'
import { serveVectors } from './vectors-endpoint.ts'

const MB = 1024 * 1024
const COPIED = 500
const SEARCHES = 50
/** Memory that the runtime has not collected yet counts as resident: what is kept would grow from one export to the next. */
const EXPORTS = 3

const kind = process.argv[2] === 'embedded' ? 'embedded' : 'native'
const count = Number(process.argv[3] ?? 100_000)
/** As many as are imported, up to the size that a workspace with an index over its vectors surely has. */
const baseline = Math.min(count, 10_000)
const folder = await temporaryFolder()

await measureLarge()
await compareSmall()
await closeAll()

/** Vectors cost nothing, and the graph does not read along, so that what is measured are import and export. */
async function measureLarge(): Promise<void> {
  const service = await startBenchService(kind, {
    PLUGINS_DISABLED: 'graph,knowledge',
    EMBEDDINGS: 'http',
    EMBEDDINGS_URL: await serveVectors(),
    EMBEDDINGS_MODEL: 'vectors',
    ALLOW_PRIVATE_NETWORKS: 'true',
  })
  const { pid, url } = service.server
  const other = caller(url, await addTenant(service.server, 'Other'))
  const [given, gotten] = [join(folder, 'given.jsonl'), join(folder, 'gotten.jsonl')]
  await writeArchive(given, count)
  // Probed as the import is, so that both have the same work beside them.
  const texts = Array.from({ length: baseline }, (_, n) => variedText(n) + n)
  const batches = await elapsed(() => probe(other, () => fill({ call: other }, texts)))
  const idle = await probe(other, () => pause(5000))
  let busy: number[] = []
  const importing = await watchMemory(pid, async () => {
    busy = await probe(other, () => importFile(service, BENCH_KEY, given))
  })
  const exports: Watched[] = []
  for (let n = 0; n < EXPORTS; n++) exports.push(await watchMemory(pid, () => exportFile(service, BENCH_KEY, gotten)))
  const { memories, difference } = await compareArchives(given, gotten)
  await service.server.kill()
  const name = `${kind}, ${count} memories, ${((await stat(given)).size / MB).toFixed(0)} MB`
  report(`${name}: import until all is searchable`, importing.seconds, 's')
  report('the same, memories a second', count / importing.seconds, '/s')
  report(
    'the same / the same memories in batches of 500',
    count / importing.seconds / ((baseline * 1000) / batches),
    '',
  )
  report(`resident memory grows by, from ${importing.beforeMb.toFixed(0)} MB`, importing.grownMb, 'MB')
  report("another tenant's list of 20 memories, p95, idle", percentile(idle, 0.95), 'ms')
  report('the same during the import', percentile(busy, 0.95), 'ms')
  for (const [n, { seconds, beforeMb, grownMb }] of exports.entries()) {
    report(`${name}: export and download, time ${n + 1}`, seconds, 's')
    report(`resident memory grows by, from ${beforeMb.toFixed(0)} MB`, grownMb, 'MB')
  }
  report('memories that came out as they went in, field by field', memories, '', String(count))
  if (difference) console.log(difference)
}

/** Everything as it is in use, with the built-in model. */
async function compareSmall(): Promise<void> {
  const service = await startBenchService(kind)
  const { url } = service.server
  const copyKey = await addTenant(service.server, 'Copy')
  const [original, copy] = [caller(url), caller(url, copyKey)]
  await fill(
    { call: original },
    Array.from({ length: COPIED }, (_, n) => variedText(n)),
  )
  const path = join(folder, 'small.jsonl')
  await exportFile(service, BENCH_KEY, path)
  await importFile(service, copyKey, path)
  let equal = 0
  const paths = Array.from({ length: COPIED / 100 }, (_, n) => `/v1/memories?page_size=100&page=${n + 1}`)
  const lists = await Promise.all(paths.map(one => both(original, copy, 'GET', one)))
  const ids = lists.flatMap(([list]) => (list as { data: { id: string }[] }).data.map(({ id }) => id))
  for (const id of ids) if (isSame(await both(original, copy, 'GET', `/v1/memories/${id}/history`))) equal++
  let found = 0
  for (let n = 0; n < SEARCHES; n++) {
    const body = { query: variedQuestion(n), limit: 20 }
    if (isSame(await both(original, copy, 'POST', '/v1/memories/search', body))) found++
  }
  await service.server.kill()
  report('pages of the list that are the same after a copy', lists.filter(isSame).length, '', String(paths.length))
  report('histories that are the same', equal, '', String(ids.length))
  report('searches with the same results, order and scores', found, '', String(SEARCHES))
}

type Call = BenchService['call']

/** The responses of two workspaces, without what names the workspace. */
async function both(a: Call, b: Call, method: string, path: string, body?: unknown): Promise<unknown[]> {
  const responses = await Promise.all([a, b].map(call => call(method, path, body)))
  return responses.map(response =>
    JSON.parse(JSON.stringify(response, (name, value) => (name === 'workspace_id' ? undefined : value))),
  )
}

function isSame([a, b]: unknown[]): boolean {
  return isDeepStrictEqual(a, b)
}

/** Milliseconds of another tenant's requests while something goes on. */
async function probe(call: Call, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const samples: number[] = []
  const done = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    samples.push(await elapsed(() => call('GET', '/v1/memories')))
    await pause(100)
  }
  await done
  return samples
}

async function importFile({ server }: BenchService, key: string, path: string): Promise<void> {
  const form = new FormData()
  form.set('file', await openAsBlob(path), 'given.jsonl')
  const response = await fetch(`${server.url}/v1/imports`, {
    method: 'POST',
    headers: { 'X-Api-Key': key },
    body: form,
  })
  if (response.status !== 202)
    throw new Error(`the import was answered with ${response.status}: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const job = await settled(caller(server.url, key), `/v1/imports/${id}`)
  if (job.memories_skipped !== 0 || job.lines_failed !== 0) throw new Error(`left out some: ${JSON.stringify(job)}`)
}

async function exportFile({ server }: BenchService, key: string, path: string): Promise<void> {
  const call = caller(server.url, key)
  const { id } = (await call('POST', '/v1/exports', { format: 'JSONL' })) as { id: string }
  await settled(call, `/v1/exports/${id}`)
  const { body } = await fetch(`${server.url}/v1/exports/${id}/download`, { headers: { 'X-Api-Key': key } })
  if (!body) throw new Error('the download has no body')
  await pipeline(Readable.from(body), createWriteStream(path))
}

/** Waits until a job has ended well; bounded by two hours. */
async function settled(call: Call, path: string): Promise<Record<string, unknown>> {
  for (const deadline = Date.now() + 7_200_000; Date.now() < deadline; ) {
    const job = (await call('GET', path)) as Record<string, unknown>
    if (job.status === 'COMPLETED') return job
    if (job.status === 'FAILED') throw new Error(`${path} failed: ${job.error}`)
    await pause(500)
  }
  throw new Error(`${path} did not end`)
}
