import { MB, OutgoingError, type OutgoingResponse, type Tenant } from 'mneme/plugin'
import type { Format } from '../formats.ts'
import { formatOfPage } from '../input/format.ts'
import type { Job } from '../job.ts'
import { BYTES_WAITING_MAX } from '../limits.ts'
import { refreshOf } from '../parsing/formats/html-refresh.ts'
import { advanceJob, countWaiting } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { lockActive } from './end.ts'
import { again, JobFailed, next, type Outcome } from './outcome.ts'
import { withCancel } from './with-cancel.ts'

const PAGE = { redirectsMax: 5, timeoutMs: 30_000, bodyBytesMax: 10 * MB } as const
const ACCEPT =
  'text/html,application/xhtml+xml,text/plain,text/markdown,application/pdf,application/json;q=0.9,*/*;q=0.5'
/** Pages that lead on by themselves; each counts as a redirect. */
const REFRESHES_MAX = 2
/** A failure that may pass soon is retried after these waits, by the number of tries there were. */
const RETRY_MS = [2_000, 10_000]
/** A page that cannot be requested at the moment, for no fault of its own, is looked at again then. */
const LATER_MS = 5_000
const PASSING = new Set(['CONNECTION_FAILED', 'BUSY', 'DNS_FAILED'])

/** Fetches a job's page into the file store; what it is, its bytes say. */
export async function fetchPage(
  scope: IngestScope,
  tenant: Tenant,
  job: Job,
  tries: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { workspaceId } = tenant
  const { bytes: stored } = await tenant.transaction(async tx => {
    await advanceJob(tx, workspaceId, job.id, {})
    return countWaiting(tx, workspaceId)
  })
  // A page adds to the files under way only now; it waits for some of them to end.
  if (stored + PAGE.bodyBytesMax > BYTES_WAITING_MAX) return next(LATER_MS)
  try {
    const page = await withCancel(scope, tenant, job, signal, own => request(scope, workspaceId, job, own))
    if (page.failure) return retry(tries, page.failure)
    const sizeBytes = await scope.files.write(tenant, job.id, once(page.bytes))
    await tenant.transaction(async tx => {
      await lockActive(tx, workspaceId, job.id)
      const { format: contentFormat, charset = null } = page
      await advanceJob(tx, workspaceId, job.id, { stage: 'read', contentFormat, charset, sizeBytes })
    })
    return next()
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    // It says nothing of the page: another process, or the next start of this one, fetches it.
    if (error.code === 'STOPPING') return next(LATER_MS)
    const failure = new JobFailed(CODES[error.code] ?? error.code, error.message, { cause: error })
    if (PASSING.has(error.code)) return retry(tries, failure)
    throw failure
  }
}

/** Tells what the page's host sent. */
type Page =
  | {
      readonly bytes: Uint8Array
      readonly format: Format
      readonly charset: string | undefined
      readonly failure?: undefined
    }
  /** A failure that may pass soon. */
  | { readonly failure: JobFailed }

async function request(
  { outgoing }: IngestScope,
  holder: string,
  { sourceUrl }: Job,
  signal: AbortSignal,
): Promise<Page> {
  let url = sourceUrl ?? ''
  const startedAt = performance.now()
  for (let left = REFRESHES_MAX; ; left--) {
    const timeoutMs = Math.max(1, PAGE.timeoutMs - (performance.now() - startedAt))
    const redirectsMax = PAGE.redirectsMax - (REFRESHES_MAX - left)
    const options = { ...PAGE, timeoutMs, redirectsMax, headers: { accept: ACCEPT }, signal, holder }
    const response = await outgoing.request(url, options)
    if (response.status !== 200) {
      await response.discard()
      const failure = statusFailure(response, url)
      if (!(response.status >= 500 || response.status === 429)) throw failure
      return { failure }
    }
    const bytes = await response.bytes()
    const { format, charset } = formatOfPage(bytes, response.headers.get('content-type') ?? '', response.url)
    if (!format) {
      throw new JobFailed(
        'UNSUPPORTED_CONTENT',
        `What ${hostOf(url)} sent is no page, and of no format that can be read.`,
      )
    }
    const next = format === 'HTML' && left > 0 ? await refreshOf(bytes, response.url) : undefined
    if (next === undefined) return { bytes, format, charset }
    url = next
  }
}

const CODES: Readonly<Record<string, string>> = {
  TOO_LARGE: 'PAGE_TOO_LARGE',
  DNS_FAILED: 'PAGE_UNREACHABLE',
  CONNECTION_FAILED: 'PAGE_UNREACHABLE',
  BUSY: 'PAGE_UNREACHABLE',
}

function retry(tries: number, failure: JobFailed): Outcome {
  const inMs = RETRY_MS[tries - 1]
  if (inMs === undefined) throw failure
  return again(inMs)
}

function statusFailure({ status }: OutgoingResponse, url: string): JobFailed {
  const host = hostOf(url)
  if (status === 404 || status === 410)
    return new JobFailed('PAGE_NOT_FOUND', `${host} has no page at this address (${status}).`)
  if (status === 401 || status === 403) {
    return new JobFailed('PAGE_FORBIDDEN', `${host} does not let everybody read the page (${status}).`)
  }
  return new JobFailed('PAGE_UNAVAILABLE', `${host} answered with the status ${status} in place of the page.`)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The server'
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
