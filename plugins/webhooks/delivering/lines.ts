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
  readonly waiting: ClaimedMessage[]
  readonly claimedAt: number
  webhook: Webhook
  readAt: number
}

/** Claimed deliveries that follow in the places of earlier ones, by webhook. */
export class Lines {
  readonly #lines = new Map<string, Line>()
  readonly holding: Holding = held({
    name: 'webhooks.claimed',
    maxBytes: CLAIMED_MAX_BYTES,
    bytes: () => [...this.#lines.values()].reduce((sum, { waiting }) => sum + bytesOf(waiting), 0),
  })
  readonly #read: (workspaceId: string, webhookId: string) => Promise<Webhook | undefined>
  readonly #now: () => number

  constructor(read: (workspaceId: string, webhookId: string) => Promise<Webhook | undefined>, now: () => number) {
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
   * Takes the next delivery of a webhook, which may have been changed, paused or deleted since it was claimed.
   * @returns undefined where nothing waits; without a webhook where nothing is to be sent to it as it was
   */
  async next(webhookId: string): Promise<{ message: ClaimedMessage; webhook: Webhook | undefined } | undefined> {
    const line = this.#lines.get(webhookId)
    const message = line?.waiting.shift()
    if (!line || !message) return undefined
    if (line.waiting.length === 0) this.#lines.delete(webhookId)
    return { message, webhook: await this.#current(line) }
  }

  /** Takes all that wait for a webhook. */
  clear(webhookId: string): ClaimedMessage[] {
    const waiting = this.#lines.get(webhookId)?.waiting ?? []
    this.#lines.delete(webhookId)
    return waiting
  }

  async #current(line: Line): Promise<Webhook | undefined> {
    const { workspaceId, id, url } = line.webhook
    const isLate = () => this.#now() - line.claimedAt > HELD_MAX_MS
    if (isLate()) return undefined
    if (this.#now() - line.readAt < FRESH_MS) return line.webhook
    const webhook = await this.#read(workspaceId, id)
    // A busy database may have taken long.
    if (isLate() || !webhook?.active || webhook.url !== url) return undefined
    line.webhook = webhook
    line.readAt = this.#now()
    return webhook
  }
}

function bytesOf(waiting: readonly ClaimedMessage[]): number {
  return waiting.reduce((sum, { body = '' }) => sum + CLAIM_BYTES + 2 * body.length, 0)
}
