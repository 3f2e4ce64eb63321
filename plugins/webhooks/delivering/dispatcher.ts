import type { Database, JobClock, Logger, Tx } from 'mneme/plugin'
import { dispatchJobAt } from '../jobs.ts'
import { findBodies, notePolling, nowOf, webhooksDue } from '../queries/attempts.ts'
import { findWebhook, type Webhook } from '../queries/webhooks.ts'
import { hostOf } from '../receiver-url.ts'
import { Capacity, type Place } from './capacity.ts'
import { byAge, Claims, type DueDelivery, inRandomOrder } from './claims.ts'
import { type Current, Lines } from './lines.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { Polling } from './polling.ts'
import { claimFor } from './queue.ts'
import type { AttemptResult, Sender } from './send.ts'
import { type EndedAttempt, type SettleParts, settleAttempts, unsent } from './settle.ts'

export interface DispatcherParts extends Omit<SettleParts, 'now' | 'random'> {
  readonly database: Database
  readonly sender: Sender
  readonly metrics: DeliveryMetrics
  readonly log: Logger
  /** For tests: without it times are the database's. */
  readonly clock?: JobClock
}

/** Attempts due deliveries. Jobs only wake it, and it comes back by itself as long as there is something to do. */
export interface Dispatcher {
  /** Has what is due in a workspace attempted; returns at once. */
  wake(workspaceId: string): void
  /** Returns the number of attempts under way. */
  running(): number
  /** Takes a place for a test of a webhook, to be given back, or says whose tests have as many as may be: those of its workspace, or others'. */
  takeTest(webhook: Webhook): { release(): void } | 'own' | 'others'
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Breaks attempts off, which then count as not made. */
  stop(): Promise<void>
}

/** Transactions at once: few, as they are short and requests want connections too. */
const CYCLES_MAX = 4

/**
 * A webhook that may have this many attempts at once is claimed so many more deliveries for each, which follow in its places without
 * waiting for a transaction. Three in a row are through before their claims lapse.
 */
const FOLLOWED_MIN = 4
const FOLLOWING = 2

/** A workspace rests this long between two cycles, so that each handles many deliveries where many come in. */
const REST_MS = 10

/** A workspace is looked at again this long after a transaction of its failed. */
const RETRY_MS = 1000
const RETRIES_MAX = 20

/**
 * Works workspace by workspace in short cycles: one transaction stores what attempts came to and claims the next ones, which then run
 * beside everything else. While many deliveries come in, a cycle handles many of them; each webhook's claims stand for themselves.
 */
export class DeliveryDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts
  readonly #capacity: Capacity
  readonly #waiting = new Set<string>()
  readonly #cycling = new Map<string, Promise<void>>()
  readonly #unsettled = new Map<string, Ended[]>()
  readonly #lines: Lines
  readonly #failures = new Map<string, number>()
  readonly #resting = new Set<string>()
  readonly #polling: Polling
  readonly #abort = new AbortController()
  #idle: (() => void)[] = []

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    const now = () => parts.clock?.now()?.getTime() ?? performance.now()
    this.#capacity = new Capacity(workspaceId => this.wake(workspaceId), now)
    this.#lines = new Lines((webhook, payloadIds) => this.#read(webhook, payloadIds), now)
    this.#polling = new Polling(workspaceId => this.wake(workspaceId))
  }

  wake(workspaceId: string): void {
    this.#waiting.add(workspaceId)
    this.#next()
  }

  running(): number {
    return this.#capacity.running
  }

  takeTest({ workspaceId, url }: Webhook): { release(): void } | 'own' | 'others' {
    return this.#capacity.takeTest({ workspaceId, host: hostOf(url) })
  }

  idle(): Promise<void> {
    return this.#isIdle() ? Promise.resolve() : new Promise(resolve => this.#idle.push(resolve))
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    const polled = this.#polling.stop()
    await Promise.all(polled.map(workspaceId => this.#handOver(workspaceId)))
    await this.idle()
  }

  /** A job of another process finds deliveries that were, or will be, committed without one. */
  async #handOver(workspaceId: string): Promise<void> {
    const { database, jobs, log } = this.#parts
    const handing = database.workspace(workspaceId, async tx => {
      await notePolling(tx, workspaceId, 0)
      await jobs.enqueue(tx, [dispatchJobAt(workspaceId, new Date((await nowOf(tx)).getTime() + Polling.polledMs))])
    })
    await handing.catch((error: unknown) =>
      log.warn({ err: error, workspace: workspaceId }, 'deliveries are left to the sweep'),
    )
  }

  #isIdle(): boolean {
    return this.#waiting.size === 0 && this.#cycling.size === 0 && this.#capacity.running === 0
  }

  /** Begins cycles while there is room; a workspace has one at a time. */
  #next(): void {
    for (const workspaceId of this.#waiting) {
      if (this.#cycling.size >= CYCLES_MAX) break
      if (this.#cycling.has(workspaceId) || this.#resting.has(workspaceId)) continue
      this.#waiting.delete(workspaceId)
      const cycle = this.#cycle(workspaceId).finally(() => {
        this.#cycling.delete(workspaceId)
        this.#rest(workspaceId)
        this.#capacity.nudge()
        this.#next()
        if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
      })
      this.#cycling.set(workspaceId, cycle)
    }
  }

  #rest(workspaceId: string): void {
    if (this.#abort.signal.aborted) return
    this.#resting.add(workspaceId)
    setTimeout(() => {
      this.#resting.delete(workspaceId)
      this.#next()
    }, REST_MS)
  }

  async #cycle(workspaceId: string): Promise<void> {
    const ended = this.#unsettled.get(workspaceId) ?? []
    this.#unsettled.delete(workspaceId)
    const claims = new Claims(this.#capacity)
    try {
      const failed = await this.#parts.database.workspace(workspaceId, async tx => {
        const failed = ended.length > 0 ? await settleAttempts(tx, this.#settleParts(), workspaceId, ended) : 0
        if (this.#abort.signal.aborted) return failed
        await this.#claim(tx, workspaceId, claims)
        const polledMs = this.#polling.renewal(workspaceId, claims.taken.length + claims.following.length)
        if (polledMs > 0) await notePolling(tx, workspaceId, polledMs)
        return failed
      })
      this.#parts.metrics.gaveUp(failed)
      this.#polling.looked(workspaceId)
      this.#failures.delete(workspaceId)
    } catch (error) {
      claims.abandon()
      this.#failed(workspaceId, ended, error)
      return
    }
    for (const { place, result } of ended) place?.release(verdictOn(result))
    claims.releaseUnused()
    this.#lines.add(claims.following)
    for (const due of claims.taken) this.#attempt(workspaceId, due)
    // An ended attempt may have held back a later delivery of the same subject, or of the same webhook.
    if (ended.length > 0) this.wake(workspaceId)
  }

  async #claim(tx: Tx, workspaceId: string, claims: Claims): Promise<void> {
    const { queue, clock } = this.#parts
    const now = clock?.now()
    const webhooks = await webhooksDue(tx, workspaceId, now)
    const claimed = await Promise.all(
      inRandomOrder(webhooks).map(async webhook => {
        const places = claims.reserve(webhook)
        if (places.length === 0) return []
        const following = this.#lines.has(webhook.id) || places.length < FOLLOWED_MIN ? 0 : places.length * FOLLOWING
        const limit = places.length + following
        const { id: webhookId, resumedAt } = webhook
        const own = await claimFor(queue, tx, { workspaceId, webhookId, limit, resumedAt, now })
        return own.map(claim => ({ claim, webhook }))
      }),
    )
    const found = claimed.flat().toSorted(byAge)
    if (found.length === 0) return
    const bodies = await findBodies(
      tx,
      workspaceId,
      found.map(({ claim }) => claim.row.payload_id),
    )
    for (const { claim, webhook } of found) claims.use({ claim, webhook, body: bodies.get(claim.row.payload_id) })
  }

  /** Runs beside the cycles; what it came to waits for the next one. */
  #attempt(workspaceId: string, { claim, webhook, body, place }: DueDelivery): void {
    const { sender, log } = this.#parts
    const sending =
      body === undefined
        ? Promise.resolve({ outcome: 'not_kept' } as const)
        : sender.send({ deliveryId: claim.id, body, webhook }, this.#abort.signal)
    void sending
      .catch((error: unknown) => {
        log.error({ err: error, webhook: webhook.id }, 'an attempt to deliver broke off')
        return BROKEN
      })
      .then(result => this.#attempted(workspaceId, { claim, result, url: webhook.url, place }))
  }

  /** After a success the next delivery takes the place; after anything else those that would have followed go back. */
  #attempted(workspaceId: string, ended: Ended): void {
    const { claim, result, place } = ended
    const { webhook_id: webhookId } = claim.row
    if (result.outcome === 'interrupted' || result.outcome === 'busy') this.#capacity.rest(webhookId)
    const succeeded = result.outcome === 'succeeded'
    const freed = succeeded && this.#lines.has(webhookId) ? place : undefined
    this.#ended(workspaceId, [
      { ...ended, place: freed ? undefined : place },
      ...(succeeded ? [] : this.#returned(webhookId)),
    ])
    if (freed) void this.#follow(workspaceId, webhookId, freed)
  }

  async #follow(workspaceId: string, webhookId: string, place: Place): Promise<void> {
    const next = await this.#lines.next(webhookId)
    if (next?.webhook) return this.#attempt(workspaceId, { ...next.message, webhook: next.webhook, place })
    const left = next ? [{ ...unsent(next.message.claim), place }] : []
    if (!next) place.release(undefined)
    this.#ended(workspaceId, [...left, ...this.#returned(webhookId)])
  }

  #returned(webhookId: string): Ended[] {
    return this.#lines.clear(webhookId).map(({ claim }) => ({ ...unsent(claim), place: undefined }))
  }

  #ended(workspaceId: string, ended: readonly Ended[]): void {
    this.#unsettled.set(workspaceId, [...(this.#unsettled.get(workspaceId) ?? []), ...ended])
    this.wake(workspaceId)
  }

  /** @returns undefined also where it cannot be read, so that the deliveries go back */
  #read({ workspaceId, id }: Webhook, payloadIds: readonly string[]): Promise<Current | undefined> {
    const { database, log } = this.#parts
    const reading = database.workspace(workspaceId, async tx => {
      const webhook = await findWebhook(tx, workspaceId, id)
      return webhook && { webhook, bodies: await findBodies(tx, workspaceId, payloadIds) }
    })
    return reading.catch((error: unknown) => {
      log.warn({ err: error, webhook: id }, 'a webhook could not be read')
      return undefined
    })
  }

  /** Results are kept for a while; when they are dropped, the claims lapse and the deliveries are attempted again. */
  #failed(workspaceId: string, ended: readonly Ended[], error: unknown): void {
    const failures = (this.#failures.get(workspaceId) ?? 0) + 1
    this.#failures.set(workspaceId, failures)
    this.#parts.log.warn({ err: error, workspace: workspaceId, failures }, 'deliveries could not be claimed or stored')
    if (failures > RETRIES_MAX || this.#abort.signal.aborted) {
      for (const { place } of ended) place?.release(undefined)
      this.#failures.delete(workspaceId)
      return
    }
    this.#unsettled.set(workspaceId, [...ended, ...(this.#unsettled.get(workspaceId) ?? [])])
    setTimeout(() => this.wake(workspaceId), RETRY_MS)
  }

  #settleParts(): SettleParts {
    const { clock } = this.#parts
    return {
      ...this.#parts,
      now: async tx => clock?.now() ?? nowOf(tx),
      random: () => clock?.random() ?? Math.random(),
    }
  }
}

/** An attempt with its place, unless the next delivery has that. */
interface Ended extends EndedAttempt {
  readonly place: Place | undefined
}

const NO_RESPONSE = { responseCode: null, responseBody: null, durationMs: 0 }
const BROKEN: AttemptResult = { ...NO_RESPONSE, outcome: 'invalid', error: 'The attempt could not be made.' }

/** These outcomes say nothing of the receiver. */
const UNASKED: ReadonlySet<EndedAttempt['result']['outcome']> = new Set(['interrupted', 'busy', 'not_sent', 'not_kept'])

/** Tells what a receiver's window grows or falls with; undefined where nothing is said of the receiver. */
function verdictOn({ outcome }: EndedAttempt['result']): 'succeeded' | 'failed' | undefined {
  if (UNASKED.has(outcome)) return undefined
  return outcome === 'succeeded' ? 'succeeded' : 'failed'
}
