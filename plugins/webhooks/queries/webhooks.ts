import { type Tx, textArray } from 'mneme/plugin'
import { FAILURES_ALERTED, type FailingWebhook } from '../contract.ts'
import { originOf, urlHash } from '../receiver-url.ts'

/** A receiver of events, as it is stored; secrets are sealed. */
export interface Webhook {
  readonly workspaceId: string
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly active: boolean
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: Date | null
  readonly failingSince: Date | null
  readonly alertedAt: Date | null
  readonly lastSuccessAt: Date | null
  /** When it was last made active again; null where it was never paused. */
  readonly resumedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The columns of a webhook, for statements that call it `webhook`. */
export function webhookColumns(tx: Tx) {
  // The driver reads no arrays.
  return tx`
    webhook.workspace_id as "workspaceId", webhook.id, webhook.url, to_json(webhook.events) as events, webhook.description,
    webhook.active, webhook.secret, webhook.previous_secret as "previousSecret",
    webhook.previous_secret_until as "previousSecretUntil", webhook.failing_since as "failingSince",
    webhook.alerted_at as "alertedAt", webhook.last_success_at as "lastSuccessAt", webhook.resumed_at as "resumedAt",
    webhook.created_at as "createdAt", webhook.updated_at as "updatedAt"`
}

/** Counts the workspace's webhooks, paused ones included. */
export async function countWebhooks(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::integer as n from webhooks.webhook where webhook.workspace_id = ${workspaceId}`
  return row?.n ?? 0
}

export interface NewWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly active: boolean
  /** Sealed. */
  readonly secret: string
}

/** @throws the violation of `webhook_url_unique` where another one has the URL */
export async function insertWebhook(tx: Tx, workspaceId: string, webhook: NewWebhook): Promise<Webhook> {
  const [row] = await tx<Webhook[]>`
    with changed as (
      insert into webhooks.webhook (
        workspace_id, id, url, url_hash, events, description, active, secret, created_at, updated_at
      )
      values (
        ${workspaceId}, ${webhook.id}, ${webhook.url}, ${urlHash(webhook.url)}, ${textArray(webhook.events)}::text[],
        ${webhook.description}, ${webhook.active}, ${webhook.secret}, now(), now()
      )
      returning webhook.*
    )
    select ${webhookColumns(tx)} from changed as webhook`
  if (!row) throw new Error('the insert of a webhook returned no row')
  return row
}

export async function listWebhooks(
  tx: Tx,
  workspaceId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Webhook[]> {
  const rows = await tx<Webhook[]>`
    select ${webhookColumns(tx)}
    from webhooks.webhook
    where webhook.workspace_id = ${workspaceId}
    order by webhook.created_at desc, webhook.id desc
    limit ${limit} offset ${offset}`
  return rows
}

/** @param mode `locked` keeps others from changing it until the transaction ends */
export async function findWebhook(
  tx: Tx,
  workspaceId: string,
  id: string,
  mode?: 'locked',
): Promise<Webhook | undefined> {
  const [row] = await tx<Webhook[]>`
    select ${webhookColumns(tx)}
    from webhooks.webhook
    where webhook.workspace_id = ${workspaceId} and webhook.id = ${id}
    ${mode === 'locked' ? tx`for update` : tx``}`
  return row
}

export type WebhookChange = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'active'>>

/**
 * Changes a locked webhook. A new URL is another receiver, so all that is known of the old one is dropped. A webhook that is resumed no
 * longer counts as failing, because the failure dates from before the pause; `alerted_at` stays, so that its recovery is still announced.
 */
export async function updateWebhook(tx: Tx, webhook: Webhook, change: WebhookChange): Promise<Webhook> {
  const { workspaceId, id } = webhook
  const next = { ...webhook, ...change }
  const moved = next.url !== webhook.url
  const resumed = next.active && !webhook.active
  const [row] = await tx<Webhook[]>`
    with changed as (
      update webhooks.webhook
      set
        url = ${next.url},
        url_hash = ${urlHash(next.url)},
        events = ${textArray(next.events)}::text[],
        description = ${next.description},
        active = ${next.active},
        resumed_at = ${resumed ? tx`now()` : tx`webhook.resumed_at`},
        failing_since = case when ${moved || resumed} then null else webhook.failing_since end,
        failures = case when ${moved || resumed} then 0 else webhook.failures end,
        gave_up_at = case when ${moved || resumed} then null else webhook.gave_up_at end,
        alerted_at = case when ${moved} then null else webhook.alerted_at end,
        last_success_at = case when ${moved} then null else webhook.last_success_at end,
        updated_at = now()
      where webhook.workspace_id = ${workspaceId} and webhook.id = ${id}
      returning webhook.*
    )
    select ${webhookColumns(tx)} from changed as webhook`
  if (!row) throw new Error('the update of a locked webhook returned no row')
  return row
}

/** After a rotation, requests are signed with the previous secret too for this long. */
const PREVIOUS_SECRET_HOURS = 24

/** Both secrets are sealed. */
export async function rotateSecret(tx: Tx, webhook: Webhook, secret: string, previous: string): Promise<Webhook> {
  const { workspaceId, id } = webhook
  const [row] = await tx<Webhook[]>`
    with changed as (
      update webhooks.webhook
      set
        secret = ${secret},
        previous_secret = ${previous},
        previous_secret_until = now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
        updated_at = now()
      where webhook.workspace_id = ${workspaceId} and webhook.id = ${id}
      returning webhook.*
    )
    select ${webhookColumns(tx)} from changed as webhook`
  if (!row) throw new Error('the rotation of a locked webhook returned no row')
  return row
}

/** @returns whether there was one */
export async function deleteWebhook(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { count } = await tx`
    delete from webhooks.webhook where webhook.workspace_id = ${workspaceId} and webhook.id = ${id}`
  return count > 0
}

/** Finds active webhooks that have been failing since `since` or longer. */
export async function failingWebhooks(tx: Tx, workspaceId: string, since: Date): Promise<FailingWebhook[]> {
  const rows = await tx<{ id: string; url: string; failing_since: Date; gave_up: boolean }[]>`
    select webhook.id, webhook.url, webhook.failing_since, webhook.gave_up_at is not null as gave_up
    from webhooks.webhook
    where webhook.workspace_id = ${workspaceId}
      and webhook.active
      and webhook.failing_since is not null
      and (
        webhook.gave_up_at is not null
        or webhook.failures >= ${FAILURES_ALERTED}
        or webhook.failing_since <= ${since}
          and exists (
            select
            from webhooks.delivery
            where delivery.workspace_id = ${workspaceId}
              and delivery.webhook_id = webhook.id
              and delivery.due_at is not null
          )
      )
    order by webhook.failing_since, webhook.id`
  return rows.map(({ id, url, failing_since: failingSince, gave_up: gaveUp }) => ({
    webhookId: id,
    url: originOf(url),
    failingSince,
    gaveUp,
  }))
}
