import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { paced } from '../background/pace.ts'
import { systemClock } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { urgently } from '../db/with-turns.ts'
import { type AppError, fail } from '../errors.ts'
import { Semaphore } from '../fair/semaphore.ts'
import { BoundedCache, SMALL_BYTES } from '../resources/bounded-cache.ts'
import {
  type Claim,
  claimResponse,
  dropClaim,
  dropPointer,
  idSteps,
  keepResponse,
  type Omission,
  pointToResponse,
  type ResponseKey,
  renewClaim,
  type TextResponse,
} from './kept-responses.ts'
import type { BodyDigest } from './upload-body.ts'

export { countResponses, forgetResponses, keptKey, type TextResponse } from './kept-responses.ts'

export interface IdempotentRequest extends ResponseKey {
  /** SHA-256 of method, path, query and body, in hex: the same key with another fingerprint is a conflict. */
  readonly fingerprint: string
  /** Digests a body that is read while the request runs, and has no part in `fingerprint`. */
  readonly digest?: BodyDigest
  /** The success response holds a secret and is never kept. */
  readonly secret?: boolean
}

/**
 * Carries out a request at most once per key and caller within 24 hours, and sends repetitions the first response. A key is
 * the caller's in all of its workspaces; the response is kept with the workspace whose data it shows.
 *
 * - Two at once: one runs, the other waits for its response (up to 30 s, then IDEMPOTENCY_CONFLICT with Retry-After).
 * - More than 1,000 of a workspace at once in a process: RATE_LIMITED with Retry-After.
 * - Another request under the same key: IDEMPOTENCY_CONFLICT. Two streamed uploads are told apart once both are read: the second
 *   waits for the first, and then reads its own body to compare.
 * - Responses from 500 up, 429, 401 and 403 are not kept: the repetition runs.
 * - Where the first response cannot be shown again (over 20 MB, a secret, it showed what was deleted since, or newer ones took its room) the request is not
 *   run again either; the response is IDEMPOTENCY_CONFLICT and says so. Where it was a refusal, the repetition runs.
 * - A process that dies in the middle loses the key after a minute, and the next request with it runs. What the first one had
 *   already committed then happens twice, unless the route itself prevents that.
 */
export interface Idempotency {
  run(
    request: IdempotentRequest,
    execute: () => Promise<TextResponse>,
  ): Promise<TextResponse & { readonly replayed: boolean }>
}

export interface IdempotencyOptions {
  readonly database: Database
  /** A run that does not renew its claim for this long counts as dead; 60 seconds. */
  readonly leaseMs?: number
  /** A second request waits so long for the first; 30 seconds. */
  readonly waitMs?: number
  /** Each workspace keeps at most so much; 64 MB in all. */
  readonly room?: RoomLimits
}

/** A kept body has at most so many bytes; the largest is the response to a batch of 16 MB. */
const KEPT_BODY_MAX = 20 * 1024 * 1024

/** So many repetitions wait for a run; each looks at the database again and again, and holds no place of its workspace's requests. */
const WAITING_MAX = 16

/** So many requests with a key that come from one workspace are under way in a process: each holds a row and renews it. */
const RUNNING_MAX = 1000

const POLL_FIRST_MS = 25
const POLL_MAX_MS = 1000

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { leaseMs = 60_000, waitMs = 30_000, room = KEPT_ROOM } = options
  const store: Store = { database: urgently(options.database), leaseMs, waitMs, room, watch: new RoomWatch() }
  // Nobody waits for a permit of these: who gets none is refused, or not waited for.
  const permits = (perKey: number) => new Semaphore({ clock: systemClock, perKey, refuse: tooMany })
  const [running, waiting] = [permits(RUNNING_MAX), permits(WAITING_MAX)]
  return {
    async run(request, execute) {
      const release = running.tryAcquire(request.homeWorkspaceId)
      if (!release) throw tooMany()
      try {
        return await runOnce(store, request, waiting, execute)
      } finally {
        release()
      }
    },
  }
}

async function runOnce(
  store: Store,
  request: IdempotentRequest,
  waiting: Semaphore,
  execute: () => Promise<TextResponse>,
): Promise<TextResponse & { readonly replayed: boolean }> {
  const run = { fingerprint: request.fingerprint, owner: randomUUID(), leaseMs: store.leaseMs, waitMs: store.waitMs }
  const claim = await claimed(store.database, request, run, waiting)
  if (claim.state === 'kept' || claim.state === 'omitted') {
    if (claim.digest !== (await request.digest?.compute())) throw fail('IDEMPOTENCY_CONFLICT')
    if (claim.state === 'omitted') throw notRepeatable(claim.omission)
    return { ...claim.response, replayed: true }
  }
  if (claim.state === 'mismatch') throw fail('IDEMPOTENCY_CONFLICT')
  if (claim.state === 'running') throw stillRunning()
  const response = await runClaimed(store, request, run.owner, execute)
  return { ...response, replayed: false }
}

/** Tells where responses are kept, and for how long runs hold their keys. */
interface Store {
  readonly database: Database
  readonly leaseMs: number
  readonly waitMs: number
  readonly room: RoomLimits
  readonly watch: RoomWatch
}

interface Run {
  readonly fingerprint: string
  readonly owner: string
  readonly leaseMs: number
  readonly waitMs: number
}

/** Claims the key, or waits until the run that has it ends. */
async function claimed(database: Database, request: IdempotentRequest, run: Run, waiting: Semaphore): Promise<Claim> {
  const claim = await look(database, request, run)
  const release = claim.state === 'running' ? waiting.tryAcquire(`${request.callerId} ${request.key}`) : undefined
  if (!release) return claim
  try {
    return await ended(database, request, run, claim)
  } finally {
    release()
  }
}

async function ended(database: Database, request: IdempotentRequest, run: Run, running: Claim): Promise<Claim> {
  const deadline = performance.now() + run.waitMs
  let claim = running
  for (let pollMs = POLL_FIRST_MS; claim.state === 'running'; pollMs = Math.min(pollMs * 1.5, POLL_MAX_MS)) {
    if (performance.now() + pollMs > deadline) break
    await pause(pollMs)
    claim = await look(database, request, run)
  }
  return claim
}

/** Each look is a transaction of its own: nothing is held open. */
async function look(database: Database, request: IdempotentRequest, run: Run): Promise<Claim> {
  if (!(await isPointedTo(database, request))) return { state: 'mismatch' }
  return database.workspace(request.workspaceId, tx => claimResponse(tx, request, run))
}

/**
 * Takes the key in the caller's own workspace first, for a request to another one.
 * @returns false when it is taken
 */
async function isPointedTo(database: Database, request: IdempotentRequest): Promise<boolean> {
  if (request.homeWorkspaceId === request.workspaceId) return true
  return database.workspace(request.homeWorkspaceId, tx => pointToResponse(tx, request, request.fingerprint))
}

/** Leaves the key free, so that a repetition is carried out. */
async function release(database: Database, request: IdempotentRequest, owner: string): Promise<void> {
  await database.workspace(request.workspaceId, tx => dropClaim(tx, request, owner))
  if (request.homeWorkspaceId === request.workspaceId) return
  await database.workspace(request.homeWorkspaceId, tx => dropPointer(tx, request, request.fingerprint))
}

async function runClaimed(
  store: Store,
  request: IdempotentRequest,
  owner: string,
  execute: () => Promise<TextResponse>,
): Promise<TextResponse> {
  const { database, leaseMs } = store
  const { workspaceId } = request
  // A renewal that fails is followed by others; if all fail the database is away, and the response cannot be kept anyway.
  const renewal = setInterval(() => {
    database.workspace(workspaceId, tx => renewClaim(tx, request, owner, leaseMs)).catch(() => undefined)
  }, leaseMs / 3)
  try {
    const response = await execute()
    await settle(store, request, owner, response)
    return response
  } catch (error) {
    await release(database, request, owner).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** The request has been carried out by now, so its response goes out whether or not it could be kept. */
async function settle(
  { database, room, watch }: Store,
  request: IdempotentRequest,
  owner: string,
  response: TextResponse,
): Promise<void> {
  const { workspaceId, homeWorkspaceId } = request
  const digest = await digestOf(request, response)
  const kept = {
    response,
    omission: omissionOf(request, response),
    ids: await paced(idSteps(response.body, workspaceId)),
    digest: digest?.value,
  }
  const settling =
    isKept(response.status) && digest
      ? database.workspace(workspaceId, async tx => {
          await keepResponse(tx, request, owner, kept)
          // The room is made after keeping the response, so that this row is locked first, as erasures do it.
          if (watch.isDue(workspaceId, response.body.length)) await makeRoom(tx, workspaceId, room)
        })
      : release(database, request, owner)
  await settling.catch(() => undefined)
  // Rows that point to other workspaces take room as well, in the caller's own.
  if (homeWorkspaceId === workspaceId || !watch.isDue(homeWorkspaceId, 0)) return
  await database.workspace(homeWorkspaceId, tx => makeRoom(tx, homeWorkspaceId, room)).catch(() => undefined)
}

/**
 * Digests the uploaded body, which sets its kept response apart from those to other bodies; undefined where that is not
 * known, and nothing can be kept. A success is worth reading the rest of the body that the handler left; a refusal is
 * not.
 */
async function digestOf(
  { digest }: IdempotentRequest,
  { status }: TextResponse,
): Promise<{ value?: string } | undefined> {
  if (!digest) return {}
  const value = digest.known() ?? (status < 400 ? await digest.compute().catch(() => undefined) : undefined)
  return value === undefined ? undefined : { value }
}

function isKept(status: number): boolean {
  return status < 500 && status !== 429 && status !== 401 && status !== 403
}

function omissionOf({ secret }: IdempotentRequest, { status, body }: TextResponse): Omission | undefined {
  if (secret && status < 400) return 'SECRET'
  return Buffer.byteLength(body) > KEPT_BODY_MAX ? 'TOO_LARGE' : undefined
}

function tooMany(): AppError {
  return fail('RATE_LIMITED', {
    message: 'Too many requests with an Idempotency-Key are under way; retry when they are done.',
    retryAfterSeconds: 1,
  })
}

function stillRunning(): AppError {
  return fail('IDEMPOTENCY_CONFLICT', {
    message: 'The first request with this Idempotency-Key is still running; retry shortly.',
    retryAfterSeconds: 1,
  })
}

const WHY: Record<Omission, string> = {
  TOO_LARGE: 'is too large to be kept',
  SECRET: 'held a secret that is shown only once',
  EVICTED: 'gave its room to newer ones',
  ERASED: 'showed something that has been deleted since',
}

function notRepeatable(omission: Omission): AppError {
  return fail('IDEMPOTENCY_CONFLICT', {
    message: `The request with this Idempotency-Key was carried out. Its response cannot be sent again: it ${WHY[omission]}.`,
  })
}

/**
 * One workspace's kept responses may take so much. Together with the rows themselves, of some 200 bytes each, it is
 * under 64 MB.
 */
export interface RoomLimits {
  /** Counts the bytes of all bodies and of the ids that they mention. */
  readonly bytesMax: number
  /** Counts keys, with a body or without. */
  readonly rowsMax: number
}

export const KEPT_ROOM: RoomLimits = { bytesMax: 48 * 1024 * 1024, rowsMax: 40_000 }

/** So much may be added between two looks, so that a small response does not pay for one. */
const UNSEEN_BYTES_MAX = 1024 * 1024
const UNSEEN_ROWS_MAX = 500

/** So many workspaces are counted; the one counted longest ago is looked at again at its next response. */
const COUNTED_MAX = 10_000

/** An id takes so many bytes in the list of those that a response mentions. */
const ID_BYTES = 16

/** Says when to measure how much a workspace keeps: at its first response in this process, and after every megabyte. */
export class RoomWatch {
  readonly #unseen = new BoundedCache<{ bytes: number; rows: number }>({
    name: 'http.kept_rooms',
    max: COUNTED_MAX,
    maxBytes: 2 * COUNTED_MAX * SMALL_BYTES,
  })

  /** Counts a response. @returns whether {@link makeRoom} is due after it */
  isDue(workspaceId: string, bytes: number): boolean {
    const unseen = this.#unseen.get(workspaceId)
    if (unseen) {
      unseen.bytes += bytes
      unseen.rows++
      if (unseen.bytes <= UNSEEN_BYTES_MAX && unseen.rows <= UNSEEN_ROWS_MAX) return false
    }
    this.#unseen.set(workspaceId, { bytes: 0, rows: 0 })
    return true
  }
}

/**
 * Removes the oldest bodies until the rest has room, and then the oldest keys. A key without its body is still not
 * carried out twice; one that is gone is new again, as after its 24 hours.
 */
export async function makeRoom(tx: Tx, workspaceId: string, limits = KEPT_ROOM): Promise<void> {
  // Rows that others have locked are skipped, and taken the next time.
  await tx`
    with kept as (
      select caller_id, key, sum(octet_length(body) + ${ID_BYTES}::int * cardinality(resource_ids)) over newest_first as bytes
      from core.idempotent_response
      where workspace_id = ${workspaceId} and body is not null
      window newest_first as (order by created_at desc, caller_id, key)
    ), oldest as (
      select caller_id, key
      from core.idempotent_response
      join kept using (caller_id, key)
      where workspace_id = ${workspaceId} and kept.bytes > ${limits.bytesMax}::bigint
      for update of idempotent_response skip locked
    )
    update core.idempotent_response as evicted
    set body = null, headers = null, omitted = 'EVICTED', resource_ids = '{}'
    from oldest
    where evicted.workspace_id = ${workspaceId} and evicted.caller_id = oldest.caller_id and evicted.key = oldest.key`
  await tx`
    with oldest as (
      select caller_id, key
      from core.idempotent_response
      where workspace_id = ${workspaceId} and owner is null
      order by created_at desc, caller_id, key
      offset ${limits.rowsMax}::int
      for update skip locked
    )
    delete from core.idempotent_response as gone
    using oldest
    where gone.workspace_id = ${workspaceId} and gone.caller_id = oldest.caller_id and gone.key = oldest.key`
}
