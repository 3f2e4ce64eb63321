import type { Events, NewEvent, Tx } from 'mneme/plugin'
import { WEBHOOK_FAILED } from '../contract.ts'
import type { Alerted } from '../queries/health.ts'
import { originOf } from '../receiver-url.ts'

/** The outcome of a webhook's last attempt. */
export interface LastOutcome {
  readonly error: string
  readonly responseCode: number | null
}

/** Builds the event that tells that a webhook fails for long. */
export function failedEvent(workspaceId: string, { id, url, failingSince }: Alerted, last?: LastOutcome): NewEvent {
  return {
    kind: WEBHOOK_FAILED,
    workspaceId,
    subjectId: id,
    userId: null,
    data: {
      webhook_id: id,
      url: originOf(url),
      failing_since: failingSince.toISOString(),
      error: last?.error ?? '',
      response_code: last?.responseCode ?? null,
    },
  }
}

/** Tells of webhooks that fail for long, with the outcome of their newest delivery that was attempted. */
export async function tellOfFailing(tx: Tx, events: Events, workspaceId: string, alerted: readonly Alerted[]) {
  const told: NewEvent[] = []
  for (const webhook of alerted) {
    const [last] = await tx<LastOutcome[]>`
      select coalesce(delivery.failure, '') as error, delivery.response_code as "responseCode"
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId} and delivery.webhook_id = ${webhook.id} and delivery.duration_ms is not null
      order by delivery.id desc
      limit 1`
    told.push(failedEvent(workspaceId, webhook, last))
  }
  await events.publish(tx, told)
}
