/**
 * Runs the tests: each batch of files in a process of its own, as many at a time as there are cores, all on copies of one prepared database.
 *
 *   bun test/run.ts [PART OF A PATH…] [OPTIONS OF bun test…]
 *
 * `docs/testing.md` tells what it reads from the environment and what it prints.
 */
import { mkdtemp, readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Batch, batchesOf } from './runner/batches.ts'
import { startDatabaseHost } from './runner/databases.ts'
import { durationsOf, findTestFiles, longestFirst, readDurations, writeDurations } from './runner/files.ts'
import { type Needs, unmetNeed } from './runner/needs.ts'
import { readOptions } from './runner/options.ts'
import { closingLine, excesses, failures, filesOf, progressLine, slowestFiles, totals } from './runner/report.ts'
import { type BatchResult, removeFolder, runBatch } from './runner/run-batch.ts'
import { serverFiles } from './runner/server-files.ts'
import { makeTemplate } from './runner/template.ts'
import type { ProcessUsage } from './runner/usage.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const options = readOptions(process.argv.slice(2), process.env)
if (process.env.CITUS_URL) process.env.TEST_DATABASE_URL = process.env.CITUS_URL
const serverUrl = process.env.TEST_DATABASE_URL
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.exitCode = await runAll()

async function runAll(): Promise<number> {
  const began = performance.now()
  const found = findTestFiles(ROOT, options.filters)
  const needs: Needs = JSON.parse(await readFile(join(ROOT, 'test/needs.json'), 'utf8'))
  const leftOut = found.filter(path => unmetNeed(path, needs, process.env))
  for (const path of leftOut) console.log(`left out: ${path} needs ${unmetNeed(path, needs, process.env)}`)
  const able = found.filter(path => !leftOut.includes(path))
  const paths = options.onlyServerFiles ? serverFiles(ROOT, able) : able
  if (found.length === 0) return refuse(`no test file has ${options.filters.join(' or ')} in its path`)
  if (paths.length === 0) return refuse('nothing is left to run')
  const durationsFile = join(ROOT, 'node_modules/.cache/mneme', `tests-${serverUrl ? 'native' : 'embedded'}.json`)
  const withDatabase = new Set(serverFiles(ROOT, paths))
  const batches = longestFirst(ROOT, batchesOf(ROOT, paths, withDatabase), readDurations(durationsFile))
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mneme-')))
  try {
    const template = withDatabase.size > 0 ? await makeTemplate(ROOT, folder, serverUrl) : undefined
    const host = template && !serverUrl ? await startDatabaseHost(ROOT, folder) : undefined
    const workers = Math.min(options.workers, batches.length)
    console.log(
      `${paths.length} files, ${workers} at a time, on ${serverUrl ? 'a Postgres server' : 'the embedded database'}`,
    )
    try {
      const results = await runBatches(batches, folder, { ...template?.environment, ...host?.environment })
      writeDurations(durationsFile, durationsOf(results))
      const others = host ? [await host.stop()] : []
      return await report(results, others, paths.length, (performance.now() - began) / 1000)
    } finally {
      await host?.stop()
      await template?.drop()
    }
  } finally {
    await removeFolder(folder)
  }
}

async function runBatches(
  batches: readonly Batch[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<BatchResult[]> {
  const waiting = [...batches]
  const results: BatchResult[] = []
  const alone = batches.length === 1
  const files = batches.reduce((sum, { paths }) => sum + paths.length, 0)
  const work = async () => {
    for (let batch = waiting.shift(); batch && !stopping.signal.aborted; batch = waiting.shift()) {
      const result = await runBatch(batch, {
        root: ROOT,
        folder,
        environment,
        flags: options.flags,
        secondsMax: options.fileSecondsMax,
        signal: stopping.signal,
        ...(alone ? { onOutput: text => void process.stderr.write(text) } : {}),
      })
      results.push(result)
      if (result.passed + result.failed + result.skipped > 0 || result.fault)
        console.log(`${progressLine(result)}  ${filesOf(results)} of ${files}`)
      if (options.bail && (result.failed > 0 || result.fault)) waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  return results
}

async function report(
  results: readonly BatchResult[],
  others: readonly ProcessUsage[],
  wanted: number,
  seconds: number,
): Promise<number> {
  const further = excesses(results, others)
  if (results.every(({ passed, failed, fault }) => passed + failed === 0 && !fault)) further.push('no test was run')
  const left = wanted - filesOf(results)
  if (left > 0) further.push(`${left} files were not run`)
  const { passed, failed } = totals(results, further.length)
  if (results.length > 1) console.log(['', ...slowestFiles(results)].join('\n'))
  // The output of a single batch was shown as it came.
  if (results.length > 1) for (const line of failures(results)) console.log(line)
  for (const line of further) console.log(`Failed: ${line}`)
  console.log(closingLine({ passed, failed }, results, others, seconds))
  if (stopping.signal.aborted) return 130
  return failed === 0 ? 0 : 1
}

function refuse(message: string): number {
  console.error(message)
  return 1
}
