import type { Events, NewEvent, Tx } from 'mneme/plugin'
import { FAILING_ALERT_MS, FAILURES_ALERTED, WEBHOOK_RECOVERED } from '../contract.ts'
import { noteOutcomes, type ReceiverOutcome } from '../queries/health.ts'
import { originOf } from '../receiver-url.ts'
import { failedEvent } from './alert.ts'
import type { AttemptResult } from './send.ts'

/** A success stands this long before another one is noted, so that a busy webhook's row is not written with every batch. */
const SUCCESS_NOTED_MS = 60_000

/** An attempt that says something of its receiver. */
export interface MadeAttempt {
  readonly webhookId: string
  /** Nothing is noted of a webhook that has another one by now. */
  readonly url: string
  readonly result: AttemptResult
  /** The delivery has no attempt left. */
  readonly gaveUp: boolean
}

/** Notes which webhooks work and which fail, and publishes what changed. One success among a webhook's attempts says that it works. */
export async function noteHealth(
  tx: Tx,
  events: Events,
  workspaceId: string,
  made: readonly MadeAttempt[],
  now: Date,
): Promise<void> {
  const byReceiver = Map.groupBy(made, receiverOf)
  const { recovered, overdue } = await noteOutcomes(tx, workspaceId, {
    outcomes: [...byReceiver.values()].flatMap(([first, ...others]) => (first ? [outcomeOf([first, ...others])] : [])),
    now,
    notedBefore: new Date(now.getTime() - SUCCESS_NOTED_MS),
    alertBefore: new Date(now.getTime() - FAILING_ALERT_MS),
    failuresMax: FAILURES_ALERTED,
  })
  const told: NewEvent[] = [
    ...recovered.map(({ id, url }) => ({
      kind: WEBHOOK_RECOVERED,
      workspaceId,
      subjectId: id,
      userId: null,
      data: { webhook_id: id, url: originOf(url) },
    })),
    ...overdue.map(webhook => {
      const last = byReceiver.get(receiverOf({ webhookId: webhook.id, url: webhook.url }))?.at(-1)?.result
      return failedEvent(workspaceId, webhook, last && { error: last.error ?? '', responseCode: last.responseCode })
    }),
  ]
  await events.publish(tx, told)
}

function outcomeOf(made: readonly [MadeAttempt, ...MadeAttempt[]]): ReceiverOutcome {
  const [{ webhookId: id, url }] = made
  const works = made.some(succeeded)
  return { id, url, works, failed: works ? 0 : made.length, gaveUp: made.some(({ gaveUp }) => gaveUp) }
}

function receiverOf({ webhookId, url }: Pick<MadeAttempt, 'webhookId' | 'url'>): string {
  return `${webhookId} ${url}`
}

function succeeded({ result }: MadeAttempt): boolean {
  return result.outcome === 'succeeded'
}
