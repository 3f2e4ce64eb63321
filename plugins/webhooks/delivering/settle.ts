import type { Events, JobQueue, Tx } from 'mneme/plugin'
import { dispatchJobAt } from '../jobs.ts'
import { type AttemptRow, holdTexts, noteBusy, storeAttempts } from '../queries/attempts.ts'
import { forgetTold } from '../queries/upkeep.ts'
import { TOLD_ONCE, WITH_TEXT } from '../recording/payload.ts'
import { RECEIVER_REST_MS } from './capacity.ts'
import { type MadeAttempt, noteHealth } from './health.ts'
import type { ClaimedDelivery, DeliveryQueue } from './queue.ts'
import type { AttemptResult } from './send.ts'

/** A claimed delivery that nobody was asked to take: others come first, or what was to be sent is not kept any more. */
export type NotAttempted = { readonly outcome: 'not_sent' } | { readonly outcome: 'not_kept' }

/** A claim that has served, with what it came to. */
export interface EndedAttempt {
  readonly claim: ClaimedDelivery
  readonly result: AttemptResult | NotAttempted
  /** The URL that was attempted. */
  readonly url: string
}

/** A claim that is given back, as others come first. */
export function unsent(claim: ClaimedDelivery, url: string): EndedAttempt {
  return { claim, result: { outcome: 'not_sent' }, url }
}

export interface SettleParts {
  readonly queue: DeliveryQueue
  readonly events: Events
  readonly jobs: JobQueue
  /** The database's, which deliveries are due by. */
  now(tx: Tx): Promise<Date>
  random(): number
}

/**
 * Stores what attempts of a workspace came to, all in one transaction, with the jobs for the next ones.
 * @returns how many deliveries failed for good
 */
export async function settleAttempts(
  tx: Tx,
  parts: SettleParts,
  workspaceId: string,
  ended: readonly EndedAttempt[],
): Promise<number> {
  const now = await parts.now(tx)
  const verdicts = (await withoutDeleted(tx, workspaceId, ended)).map(attempt => ({
    claim: attempt.claim,
    ...verdictOf(attempt, now, parts.random),
  }))
  const held = await endClaims(tx, parts.queue, verdicts, now)
  const own = verdicts.filter(({ claim }) => held.has(claim))
  // Another process looks for what was given back, should this one stop, or have no room.
  const returned = own.some(({ end }) => end === 'returned') ? [new Date(now.getTime() + RECEIVER_REST_MS)] : []
  const dueAt = [...own.flatMap(({ until }) => until ?? []), ...returned]
  await Promise.all([
    storeAttempts(
      tx,
      workspaceId,
      own.flatMap(({ row }) => row ?? []),
    ),
    noteBusy(
      tx,
      workspaceId,
      own.filter(({ isBusy }) => isBusy).map(({ claim }) => claim.id),
      now,
    ),
    parts.jobs.enqueue(
      tx,
      dueAt.map(instant => dispatchJobAt(workspaceId, instant)),
    ),
    noteHealth(
      tx,
      parts.events,
      workspaceId,
      own.flatMap(({ made }) => made ?? []),
      now,
    ),
  ])
  if (own.some(({ claim, end }) => claim.row.event === TOLD_ONCE && end === 'finished'))
    await forgetTold(tx, workspaceId)
  return own.filter(({ row }) => row?.status === 'FAILED').length
}

/**
 * A response may repeat the text of a memory that was deleted while it was on its way, or the id of a user who was erased. Payloads are locked
 * first, as a deletion does it.
 */
async function withoutDeleted(
  tx: Tx,
  workspaceId: string,
  ended: readonly EndedAttempt[],
): Promise<readonly EndedAttempt[]> {
  const mayRepeat = ({ claim, result }: EndedAttempt) =>
    'responseBody' in result && Boolean(result.responseBody) && WITH_TEXT.has(claim.row.event)
  const payloadOf = ({ claim }: EndedAttempt) => claim.row.payload_id
  const kept = await holdTexts(tx, workspaceId, ended.filter(mayRepeat).map(payloadOf))
  return ended.map(attempt =>
    attempt.claim.row.event === TOLD_ONCE || (mayRepeat(attempt) && !kept.has(payloadOf(attempt)))
      ? { ...attempt, result: { ...attempt.result, responseBody: null } }
      : attempt,
  )
}

interface Verdict {
  /** `returned`: it is due as it was before it was claimed, so that it still holds back later ones of its subject. */
  readonly end: 'finished' | 'postponed' | 'returned'
  /** There was no room for its attempt among other requests. */
  readonly isBusy?: boolean
  readonly until?: Date
  readonly row?: AttemptRow
  /** Undefined where nothing is to be learned of the receiver. */
  readonly made?: MadeAttempt | undefined
}

const NOT_KEPT = { response_code: null, response_body: null, failure: 'What was to be sent is not kept any more.' }

function verdictOf({ claim, result, url }: EndedAttempt, now: Date, random: () => number): Verdict {
  const { id, row } = claim
  if (result.outcome === 'not_sent' || result.outcome === 'interrupted') return { end: 'returned' }
  if (result.outcome === 'busy') return { end: 'returned', isBusy: true }
  if (result.outcome === 'not_kept') {
    return { end: 'finished', row: { ...NOT_KEPT, id, status: 'FAILED', attempts: 0, duration_ms: null } }
  }
  const made = { webhookId: row.webhook_id, url, result }
  const attempt = { ...outcomeOf(result), id, attempts: 1 }
  if (result.outcome === 'succeeded') return { end: 'finished', row: { ...attempt, status: 'SUCCEEDED' }, made }
  const until = nextAttemptAt(row.attempts_made + 1, now, random())
  if (!until) return { end: 'finished', row: { ...attempt, status: 'FAILED' }, made }
  return { end: 'postponed', until, row: { ...attempt, status: 'PENDING' }, made }
}

function outcomeOf({ responseCode, responseBody, error, durationMs }: AttemptResult) {
  return { response_code: responseCode, response_body: responseBody, failure: error, duration_ms: durationMs }
}

/** @returns the claims that held until now */
async function endClaims(
  tx: Tx,
  queue: DeliveryQueue,
  verdicts: readonly (Verdict & { readonly claim: ClaimedDelivery })[],
  now: Date,
): Promise<Set<ClaimedDelivery>> {
  const ending = (end: Verdict['end']) => verdicts.filter(verdict => verdict.end === end)
  const claimsOf = (end: Verdict['end']) => ending(end).map(({ claim }) => claim)
  const held = await Promise.all([
    // A delivery that failed for good is no fault of the service, so it is not given up as other work is.
    queue.finish(tx, claimsOf('finished')),
    queue.postpone(
      tx,
      ending('postponed').map(({ claim, until = now }) => ({ claim, inMs: until.getTime() - now.getTime() })),
    ),
    queue.release(tx, claimsOf('returned')),
  ])
  return new Set(held.flat())
}

const MINUTE_MS = 60_000

/** Waits after the first to the fourth failed attempt; with the fifth a delivery has failed. */
const DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 360 * MINUTE_MS]

/** Each wait is varied by up to this share, so that deliveries that failed together do not come back together. */
const JITTER = 0.2

/**
 * When a delivery is attempted again.
 * @param failedAttempts how many failed, from 1
 * @param random from 0 up to 1
 * @returns undefined when that was the last one
 */
function nextAttemptAt(failedAttempts: number, failedAt: Date, random: number): Date | undefined {
  const delayMs = DELAYS_MS[failedAttempts - 1]
  if (delayMs === undefined) return undefined
  return new Date(failedAt.getTime() + Math.round(delayMs * (1 + JITTER * (2 * random - 1))))
}
