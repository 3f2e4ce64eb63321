import type { SealedColumn, Secrets } from 'mneme/plugin'
import type { Webhook } from './queries/webhooks.ts'

const PURPOSES = ['signing', 'signing-before'] as const
type Purpose = (typeof PURPOSES)[number]

/** Secrets are base64 behind a prefix, which has no such character. */
const SEPARATOR = ' '

const key = ['workspace_id', 'id'] as const

/** Signing secrets, so that a change of the server's key seals them anew. */
export const sealedSecrets: readonly SealedColumn[] = [
  { purpose: 'signing', table: 'webhooks.webhook', column: 'secret', key },
  { purpose: 'signing-before', table: 'webhooks.webhook', column: 'previous_secret', key },
]

type Owner = Pick<Webhook, 'workspaceId' | 'id'>

export function sealSecret(secrets: Secrets, purpose: Purpose, { workspaceId, id }: Owner, secret: string): string {
  return secrets.seal(secret, { purpose, row: { workspace_id: workspaceId, id } })
}

/** The current secret. */
export function openSecret(secrets: Secrets, { workspaceId, id, secret }: Owner & Pick<Webhook, 'secret'>): string {
  return secrets.open(secret, { purpose: 'signing', row: { workspace_id: workspaceId, id } })
}

/** So many secrets sign beside the current one. */
const PREVIOUS_MAX = 3

/** The secrets that sign at `now`: the current one first, then those before, the latest first, while they last. */
export function signingSecrets(
  secrets: Secrets,
  webhook: Owner & Pick<Webhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: Date,
): [string, ...string[]] {
  const { workspaceId, id, previousSecret, previousSecretUntil } = webhook
  const current = openSecret(secrets, webhook)
  if (previousSecret === null || previousSecretUntil === null || previousSecretUntil <= now) return [current]
  const row = { workspace_id: workspaceId, id }
  return [current, ...secrets.open(previousSecret, { purpose: 'signing-before', row }).split(SEPARATOR)]
}

/**
 * Seals what goes on signing after a rotation. After two in a row, as where the response to the first one was lost, the receiver may still
 * know only the secret before both.
 */
export function sealPrevious(secrets: Secrets, webhook: Webhook, now: Date): string {
  const signing = signingSecrets(secrets, webhook, now).slice(0, PREVIOUS_MAX)
  return sealSecret(secrets, 'signing-before', webhook, signing.join(SEPARATOR))
}
