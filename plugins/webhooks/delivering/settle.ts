import type { Events, JobQueue, NewEvent, Tx } from 'mneme/plugin'
import { FAILING_ALERT_MS, WEBHOOK_RECOVERED } from '../contract.ts'
import { dispatchJobAt } from '../jobs.ts'
import { type AttemptRow, noteFailure, noteSuccess, storeAttempts } from '../queries/attempts.ts'
import type { Webhook } from '../queries/webhooks.ts'
import { originOf } from '../receiver-url.ts'
import { failedEvent } from './alert.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { ClaimedDelivery, DeliveryQueue } from './queue.ts'
import { nextAttemptAt } from './schedule.ts'
import type { AttemptResult } from './send.ts'

/** An attempt that has ended, with what it was made for. */
export interface EndedAttempt {
  readonly claim: ClaimedDelivery
  readonly webhook: Webhook
  readonly result: AttemptResult
}

export interface SettleParts {
  readonly queue: DeliveryQueue
  readonly events: Events
  readonly jobs: JobQueue
  readonly metrics: DeliveryMetrics
  /** The database's, which deliveries are due by. */
  now(tx: Tx): Promise<Date>
  random(): number
}

/** A success stands this long before another one is noted, so that a busy webhook's row is not written with every batch. */
const SUCCESS_NOTED_MS = 60_000

/** Stores what attempts of a workspace came to, all in one transaction, with the jobs for the next ones. */
export async function settleAttempts(
  tx: Tx,
  parts: SettleParts,
  workspaceId: string,
  ended: readonly EndedAttempt[],
): Promise<void> {
  const now = await parts.now(tx)
  const outcomes = ended.map(attempt => ({ ...attempt, ...verdictOf(attempt, now, parts.random) }))
  const withStatus = (status: string) => outcomes.filter(outcome => outcome.status === status)
  const [succeeded, failed, waiting] = [withStatus('SUCCEEDED'), withStatus('FAILED'), withStatus('PENDING')]
  const held = new Set(
    (
      await Promise.all([
        // A delivery that failed for good is no fault of the service, so it is not given up as other work is.
        parts.queue.finish(tx, [...succeeded, ...failed].map(claimOf)),
        parts.queue.postpone(
          tx,
          [...waiting, ...withStatus('INTERRUPTED')].map(({ claim, until }) => ({
            claim,
            inMs: (until ?? now).getTime() - now.getTime(),
          })),
        ),
      ])
    ).flat(),
  )
  const own = outcomes.filter(({ claim }) => held.has(claim))
  const dueAt = own.flatMap(({ until }) => until ?? [])
  parts.metrics.gaveUp(own.filter(({ status }) => status === 'FAILED').length)
  await Promise.all([
    storeAttempts(tx, workspaceId, own.flatMap(toRow)),
    parts.jobs.enqueue(
      tx,
      dueAt.map(instant => dispatchJobAt(workspaceId, instant)),
    ),
    noteHealth(tx, parts, workspaceId, own, now),
  ])
}

interface Verdict {
  /** `INTERRUPTED`: as if there had been no attempt. */
  readonly status: 'SUCCEEDED' | 'FAILED' | 'PENDING' | 'INTERRUPTED'
  readonly until?: Date
}

/** An interrupted attempt waits this long for another process, or for room in this one. */
const INTERRUPTED_MS = 2000

function verdictOf({ claim, result }: EndedAttempt, now: Date, random: () => number): Verdict {
  if (result.outcome === 'succeeded') return { status: 'SUCCEEDED' }
  if (result.outcome === 'interrupted') {
    return { status: 'INTERRUPTED', until: new Date(now.getTime() + INTERRUPTED_MS) }
  }
  const until = nextAttemptAt(claim.row.attempts_made + 1, now, random())
  return until ? { status: 'PENDING', until } : { status: 'FAILED' }
}

const claimOf = ({ claim }: EndedAttempt) => claim

function toRow({ claim, result, status }: EndedAttempt & Verdict): AttemptRow[] {
  if (status === 'INTERRUPTED') return []
  return [
    {
      id: claim.id,
      status,
      response_code: result.responseCode,
      response_body: result.responseBody,
      failure: result.error,
      duration_ms: result.durationMs,
    },
  ]
}

/** One success among a webhook's attempts says that it works. */
async function noteHealth(
  tx: Tx,
  { events }: SettleParts,
  workspaceId: string,
  ended: readonly (EndedAttempt & Verdict)[],
  now: Date,
): Promise<void> {
  const made = ended.filter(({ status }) => status !== 'INTERRUPTED')
  const byWebhook = [...Map.groupBy(made, ({ webhook }) => webhook.id).values()]
  const works = byWebhook.filter(attempts => attempts.some(({ status }) => status === 'SUCCEEDED'))
  const fails = byWebhook.filter(attempts => !works.includes(attempts))
  const idsOf = (groups: typeof works) => groups.flatMap(([first]) => first?.webhook.id ?? [])
  const unnoted = works.filter(([first]) => first && !isNoted(first.webhook, now))
  const [recovered, alerted] = [
    await noteSuccess(tx, workspaceId, idsOf(unnoted), now),
    await noteFailure(tx, workspaceId, idsOf(fails), {
      now,
      alertBefore: new Date(now.getTime() - FAILING_ALERT_MS),
    }),
  ]
  const lastOf = (id: string) => {
    const last = ended.findLast(({ webhook }) => webhook.id === id)?.result
    return last && { error: last.error ?? '', responseCode: last.responseCode }
  }
  const told: NewEvent[] = [
    ...recovered.map(({ id, url }) =>
      eventOf(WEBHOOK_RECOVERED, workspaceId, id, { webhook_id: id, url: originOf(url) }),
    ),
    ...alerted.map(webhook => failedEvent(workspaceId, webhook, lastOf(webhook.id))),
  ]
  await events.publish(tx, told)
}

function isNoted({ failingSince, lastSuccessAt }: Webhook, now: Date): boolean {
  return failingSince === null && lastSuccessAt !== null && now.getTime() - lastSuccessAt.getTime() < SUCCESS_NOTED_MS
}

function eventOf(kind: string, workspaceId: string, subjectId: string, data: NewEvent['data']): NewEvent {
  return { kind, workspaceId, subjectId, userId: null, data }
}
