import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { inWorkspace, RequestError, type Service, ServiceError, UnreachableError } from './service.ts'
import type { Terminal } from './terminal.ts'
import {
  begin,
  discard,
  emptyPart,
  findUnfinished,
  finish,
  isTaken,
  notePart,
  partOf,
  partSize,
  type Unfinished,
} from './unfinished.ts'

export interface ExportOptions {
  readonly format: string
  readonly user: string | undefined
  readonly workspace: string | undefined
  readonly include: string | undefined
  readonly out: string | undefined
}

const LOOK_MS = 500
const DAY_MS = 86_400_000
const ENDINGS: Readonly<Record<string, string>> = { JSONL: 'jsonl', JSON: 'json', CSV: 'csv', MARKDOWN: 'md' }
/** A download that breaks off goes on from where it stands, so often without a byte between. */
const BREAKS_MAX = 5
/** The file changes when memories of it are deleted meanwhile; then it is downloaded again, so often at the most. */
const DOWNLOADS_MAX = 5

/** One export, and the file that it is downloaded to. */
interface Target {
  readonly service: Service
  readonly terminal: Terminal
  readonly out: string
  /** The body of the request that makes it. */
  readonly body: string
  readonly workspace: string | undefined
}

/** Where an export goes, and what an earlier run left of it there. */
interface Place {
  readonly out: string
  readonly left: Unfinished | undefined
}

/** Says how an export ended; `isGone`: there is none of it any more, so another one may do better. */
type Outcome =
  | { readonly size: number; readonly hasMemories: boolean }
  | { readonly failure: string; readonly isGone: boolean }

/**
 * Has a workspace exported and downloads the file, which bears its name only once it is there whole and its checksum fits. A run that was
 * cut off is gone on with by the next one with the same arguments.
 * @returns 0, or 1 when the export failed
 */
export async function runExport(service: Service, terminal: Terminal, options: ExportOptions): Promise<number> {
  const body = bodyOf(options)
  const request = JSON.stringify([service.url, body])
  const { out, left } = await placeOf(options, request)
  const target: Target = { service, terminal, out, body, workspace: options.workspace }
  if (left) terminal.print(`going on     with the export of ${left.begunAt}, ${await partSize(out)} bytes are there`)
  let outcome = left && (await attempt(target, left))
  if (!outcome || ('failure' in outcome && outcome.isGone)) outcome = await attemptAnew(target, request)
  if ('failure' in outcome) {
    await discard(out)
    terminal.print(`failed       ${outcome.failure}`)
    return 1
  }
  await finish(out)
  terminal.print(`exported     ${out}: ${outcome.size} bytes${outcome.hasMemories ? '' : ', without memories'}`)
  return 0
}

function bodyOf({ format, user, workspace, include }: ExportOptions): string {
  return JSON.stringify({
    format: format.toUpperCase(),
    ...(user === undefined ? {} : { user_id: user }),
    ...(include === undefined ? {} : { include: include.split(',').map(word => word.trim()) }),
    ...(workspace === undefined ? {} : { workspace_id: workspace }),
  })
}

/** The file to write. One without a name given bears the day's, or goes on with what a run of the day before left. */
async function placeOf({ out, format }: ExportOptions, request: string): Promise<Place> {
  if (out !== undefined) return { out, left: await findUnfinished(out, request) }
  const now = Date.now()
  const today = await placeOn(now, format, request)
  if (today.left) return today
  const before = await placeOn(now - DAY_MS, format, request)
  return before.left ? before : today
}

/** The file of a day that can be gone on with, else the first one that would take the place of none. */
async function placeOn(dayMs: number, format: string, request: string): Promise<Place> {
  for (let n = 1; ; n++) {
    const out = nameOf(dayMs, format, n)
    const left = await findUnfinished(out, request)
    if (left || !isTaken(out)) return { out, left }
  }
}

function nameOf(dayMs: number, format: string, n: number): string {
  const day = new Date(dayMs).toISOString().slice(0, 10)
  return `mneme-export-${day}${n > 1 ? `-${n}` : ''}.${ENDINGS[format.toUpperCase()] ?? 'txt'}`
}

async function attemptAnew(target: Target, request: string): Promise<Outcome> {
  const begun = await begin(target.out, request)
  // A request that was refused or never sent leaves nothing to go on with; one without a response may have made the export.
  await idOf(target, begun).catch(async error => {
    if (!(error instanceof UnreachableError && error.mayHaveArrived)) await discard(target.out)
    throw error
  })
  return attempt(target, begun)
}

/** Makes the export, or finds the one that was made with the same key. */
async function idOf({ service, body }: Target, { key }: Unfinished): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `mneme-export-${key}` }
  return (await service.json('POST', '/v1/exports', { headers, body })).id
}

async function attempt(target: Target, begun: Unfinished): Promise<Outcome> {
  const { out, workspace } = target
  try {
    const id = await idOf(target, begun)
    const path = inWorkspace(`/v1/exports/${id}/download`, workspace)
    let unfinished = begun
    for (let downloads = 0; downloads < DOWNLOADS_MAX; downloads++) {
      const job = await written(target, inWorkspace(`/v1/exports/${id}`, workspace))
      if (job.status === 'FAILED') return { failure: String(job.error), isGone: true }
      const [sha256, size] = [String(job.sha256), Number(job.size_bytes)]
      unfinished = await notePart(out, unfinished, sha256)
      if (!(await downloaded(target, path, sha256, size))) continue
      const hasMemories = Array.isArray(job.include) && job.include.includes('memories')
      if ((await sha256Of(partOf(out))) === sha256) return { size, hasMemories }
      await emptyPart(out)
    }
    return { failure: 'the file was changed or damaged again and again; try later', isGone: false }
  } catch (error) {
    if (error instanceof RequestError && GONE.has(error.status)) return { failure: error.message, isGone: true }
    throw error
  }
}

/** Not found, expired, or a key whose response the service no longer has. */
const GONE = new Set([404, 409, 410])

async function written({ service, terminal }: Target, path: string): Promise<Record<string, unknown>> {
  const bar = terminal.bar('exporting', 1)
  try {
    for (;;) {
      const job = await service.json('GET', path)
      const progress = Object(job.progress)
      bar.update(Number(progress.done ?? 0), Number(progress.total ?? 1))
      if (job.status === 'COMPLETED' || job.status === 'FAILED') return job
      await service.pause(LOOK_MS)
    }
  } finally {
    bar.stop()
  }
}

/** Downloads what the part lacks. @returns false when the service has another file by now, or writes it again */
async function downloaded(target: Target, path: string, sha256: string, size: number): Promise<boolean> {
  const { service, terminal, out } = target
  const bar = terminal.bar('downloading', size)
  try {
    for (let at = await partSize(out), breaks = 0; at < size; ) {
      const before = at
      const headers = { Range: `bytes=${at}-`, 'If-Match': `"${sha256}"` }
      const response = await service.send('GET', path, { headers })
      const file = await open(partOf(out), 'a')
      try {
        for await (const chunk of untilBreak(response.body)) {
          await file.write(chunk)
          at += chunk.byteLength
          bar.update(at)
        }
      } finally {
        await file.close()
      }
      at = await partSize(out)
      breaks = at > before ? 0 : breaks + 1
      if (breaks === BREAKS_MAX) throw new ServiceError('The download broke off again and again; try later.')
    }
    return true
  } catch (error) {
    if (error instanceof RequestError && CHANGED.has(error.status)) return false
    throw error
  } finally {
    bar.stop()
  }
}

/** The bytes that arrive, however the response ends. */
async function* untilBreak(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    // The bytes that came so far are kept.
  }
}

/** Not ready, or not the file that was asked for. */
const CHANGED = new Set([409, 412])

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
