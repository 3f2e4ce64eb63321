import { Buffer } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new signing secret: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks has it. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** The signature covers the id of the message, Unix seconds, and the bytes of the body exactly as they are sent. */
export interface SignedMessage {
  readonly id: string
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * The headers that authenticate a message.
 *
 * `X-Webhook-Signature` is the HMAC-SHA-256 of the body alone, keyed with the whole text of the current secret. The other three are
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): the HMAC-SHA-256 of `id.timestamp.body`, keyed with the decoded bytes of each
 * secret.
 *
 * @param secrets the current one first, then the previous one while it still signs
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secrets: readonly [string, ...string[]]) {
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'x-webhook-signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    'x-webhook-timestamp': String(timestamp),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
