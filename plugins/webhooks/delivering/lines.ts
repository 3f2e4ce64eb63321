import { type Holding, held } from 'mneme/plugin'
import type { Webhook } from '../queries/webhooks.ts'
import type { ClaimedMessage } from './claims.ts'
import { LEASE_MS } from './queue.ts'
import { ATTEMPT_MS } from './send.ts'

/** A delivery that was claimed longer ago goes back: its claim is to hold while it waits for its turn, is attempted and is stored, each for so long. */
const HELD_MAX_MS = LEASE_MS - 3 * ATTEMPT_MS

/** A webhook that was read this long ago is read again before something is sent to it. */
const FRESH_MS = 1000

/** No more wait than twice as many as attempts are under way, and each tells of one memory at the most. */
const CLAIMED_MAX_BYTES = 32 * 1024 ** 2
/** A delivery without its body. */
const CLAIM_BYTES = 1000

interface Line {
  waiting: ClaimedMessage[]
  readonly claimedAt: number
  webhook: Webhook
  readAt: number
}

/** A webhook as it is by now, and the bodies of payloads that are still kept, by id. */
export interface Current {
  readonly webhook: Webhook
  readonly bodies: ReadonlyMap<string, string>
}

/** @returns undefined where there is nothing to be sent */
export type ReadCurrent = (webhook: Webhook, payloadIds: readonly string[]) => Promise<Current | undefined>

interface Following {
  readonly message: ClaimedMessage
  /** Undefined where nothing is to be sent to it as it was. */
  readonly webhook: Webhook | undefined
}

/** Claimed deliveries that follow in the places of earlier ones, by webhook. */
export class Lines {
  readonly #lines = new Map<string, Line>()
  readonly holding: Holding = held({
    name: 'webhooks.claimed',
    maxBytes: CLAIMED_MAX_BYTES,
    bytes: () => [...this.#lines.values()].reduce((sum, { waiting }) => sum + bytesOf(waiting), 0),
  })
  readonly #read: ReadCurrent
  readonly #now: () => number

  constructor(read: ReadCurrent, now: () => number) {
    this.#read = read
    this.#now = now
  }

  has(webhookId: string): boolean {
    return this.#lines.has(webhookId)
  }

  /** Adds deliveries that were claimed just now. */
  add(messages: readonly ClaimedMessage[]): void {
    for (const message of messages) {
      const { webhook } = message
      const now = this.#now()
      const line = this.#lines.get(webhook.id) ?? { waiting: [], claimedAt: now, webhook, readAt: now }
      line.waiting.push(message)
      this.#lines.set(webhook.id, line)
    }
  }

  /**
   * Takes the next delivery of a webhook, which may have been changed, paused or deleted since it was claimed, as may have been the memory
   * that it tells of.
   * @returns undefined where nothing waits
   */
  async next(webhookId: string): Promise<Following | undefined> {
    const line = this.#lines.get(webhookId)
    const message = line?.waiting.shift()
    if (!line || !message) return undefined
    if (line.waiting.length === 0) this.#lines.delete(webhookId)
    return this.#current(line, message)
  }

  /** Takes all that wait for a webhook. */
  clear(webhookId: string): ClaimedMessage[] {
    const waiting = this.#lines.get(webhookId)?.waiting ?? []
    this.#lines.delete(webhookId)
    return waiting
  }

  async #current(line: Line, message: ClaimedMessage): Promise<Following> {
    const isLate = () => this.#now() - line.claimedAt > HELD_MAX_MS
    const unsent = { message, webhook: undefined }
    if (isLate()) return unsent
    if (this.#now() - line.readAt < FRESH_MS) return { message, webhook: line.webhook }
    const asked = [message, ...line.waiting]
    const askedAt = this.#now()
    const current = await this.#read(
      line.webhook,
      asked.map(({ claim }) => claim.row.payload_id),
    )
    // A busy database may have taken long.
    if (isLate() || !current?.webhook.active || current.webhook.url !== line.webhook.url) return unsent
    const { webhook, bodies } = current
    const asRead = (own: ClaimedMessage) =>
      asked.includes(own) ? { ...own, body: bodies.get(own.claim.row.payload_id) } : own
    line.waiting = line.waiting.map(asRead)
    line.webhook = webhook
    line.readAt = askedAt
    return { message: asRead(message), webhook }
  }
}

function bytesOf(waiting: readonly ClaimedMessage[]): number {
  return waiting.reduce((sum, { body = '' }) => sum + CLAIM_BYTES + 2 * body.length, 0)
}
