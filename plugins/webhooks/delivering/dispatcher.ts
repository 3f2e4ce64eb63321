import type { Database, JobClock, Logger, Tx } from 'mneme/plugin'
import { dispatchJobAt } from '../jobs.ts'
import { findBodies, notePolling, nowOf, webhooksDue } from '../queries/attempts.ts'
import type { Webhook } from '../queries/webhooks.ts'
import { hostOf } from '../receiver-url.ts'
import { Capacity, type Place, type Receiver } from './capacity.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { Polling } from './polling.ts'
import { type ClaimedDelivery, claimFor } from './queue.ts'
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
 * waiting for a transaction. They go back after a second, since the webhook or a memory may have been changed or deleted by then.
 */
const FOLLOWED_MIN = 4
const FOLLOWING = 2
const FOLLOWING_MS = 1000

/** A workspace rests this long between two cycles, so that each handles many deliveries where many come in. */
const REST_MS = 10

/** A workspace is looked at again this long after a transaction of its failed. */
const RETRY_MS = 1000
const RETRIES_MAX = 20

/**
 * Works workspace by workspace in short cycles: one transaction stores what attempts came to and claims the next ones, which then run
 * beside everything else. While many deliveries come in, a cycle handles many of them.
 */
export class DeliveryDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts
  readonly #now: () => number
  readonly #capacity: Capacity
  readonly #waiting = new Set<string>()
  readonly #cycling = new Map<string, Promise<void>>()
  readonly #unsettled = new Map<string, Ended[]>()
  /** Claimed deliveries that follow in the places of earlier ones, by webhook. */
  readonly #following = new Map<string, { readonly until: number; readonly waiting: ClaimedMessage[] }>()
  readonly #failures = new Map<string, number>()
  readonly #resting = new Set<string>()
  readonly #polling: Polling
  readonly #abort = new AbortController()
  #idle: (() => void)[] = []

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#now = () => parts.clock?.now()?.getTime() ?? performance.now()
    this.#capacity = new Capacity(workspaceId => this.wake(workspaceId), this.#now)
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
    const places = new Map<string, Place[]>()
    let claimed: readonly ClaimedMessage[] = []
    try {
      const failed = await this.#parts.database.workspace(workspaceId, async tx => {
        const failed = ended.length > 0 ? await settleAttempts(tx, this.#settleParts(), workspaceId, ended) : 0
        if (this.#abort.signal.aborted) return failed
        claimed = await this.#claim(tx, workspaceId, places)
        const polledMs = this.#polling.renewal(workspaceId, claimed.length)
        if (polledMs > 0) await notePolling(tx, workspaceId, polledMs)
        return failed
      })
      this.#parts.metrics.gaveUp(failed)
      this.#polling.looked(workspaceId)
      this.#failures.delete(workspaceId)
    } catch (error) {
      for (const place of [...places.values()].flat()) place.release(undefined)
      this.#failed(workspaceId, ended, error)
      return
    }
    for (const { place, result } of ended) place?.release(verdictOn(result))
    for (const message of claimed) {
      const place = places.get(message.webhook.id)?.pop()
      if (place) this.#attempt(workspaceId, message, place)
      else this.#follow(message)
    }
    for (const place of [...places.values()].flat()) place.release(undefined)
    // An ended attempt may have held back a later delivery of the same subject, or of the same webhook.
    if (ended.length > 0) this.wake(workspaceId)
  }

  /** Claims as many deliveries of each webhook as there are places for it. */
  async #claim(tx: Tx, workspaceId: string, places: Map<string, Place[]>): Promise<readonly ClaimedMessage[]> {
    const { queue, clock } = this.#parts
    const now = clock?.now()
    const webhooks = await webhooksDue(tx, workspaceId, now)
    const claimed = await Promise.all(
      inRandomOrder(webhooks).map(async webhook => {
        const taken = this.#capacity.take(receiverOf(webhook), Number.POSITIVE_INFINITY)
        places.set(webhook.id, taken)
        if (taken.length === 0) return []
        const { id: webhookId, resumedAt } = webhook
        const isFollowed = taken.length >= FOLLOWED_MIN && !this.#following.has(webhookId)
        const limit = taken.length * (isFollowed ? 1 + FOLLOWING : 1)
        const own = await claimFor(queue, tx, { workspaceId, webhookId, limit, resumedAt, now })
        return own.map(claim => ({ claim, webhook }))
      }),
    )
    const found = claimed.flat().toSorted(byAge)
    if (found.length === 0) return []
    const payloadIds = found.map(({ claim }) => claim.row.payload_id)
    const bodies = await findBodies(tx, workspaceId, payloadIds)
    return found.map(message => ({ ...message, body: bodies.get(message.claim.row.payload_id) }))
  }

  /** Runs beside the cycles; what it came to waits for the next one. */
  #attempt(workspaceId: string, { claim, webhook, body }: ClaimedMessage, place: Place): void {
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

  #follow(message: ClaimedMessage): void {
    const { id } = message.webhook
    const line = this.#following.get(id) ?? { until: this.#now() + FOLLOWING_MS, waiting: [] }
    line.waiting.push(message)
    this.#following.set(id, line)
  }

  /** After a success the next delivery takes the place; after anything else those that would have followed go back. */
  #attempted(workspaceId: string, ended: Ended): void {
    const { claim, result, place } = ended
    const { webhook_id: webhookId } = claim.row
    if (result.outcome === 'interrupted' || result.outcome === 'busy') this.#capacity.rest(webhookId)
    const line = this.#following.get(webhookId)
    const goesOn = result.outcome === 'succeeded' && line !== undefined && this.#now() < line.until
    const next = goesOn ? line.waiting.shift() : undefined
    const returned = goesOn ? [] : (line?.waiting ?? []).map(message => unsent(message.claim, message.webhook.url))
    if (!goesOn || line.waiting.length === 0) this.#following.delete(webhookId)
    if (next && place) this.#attempt(workspaceId, next, place)
    const all = [next ? { ...ended, place: undefined } : ended, ...returned]
    this.#unsettled.set(workspaceId, [...(this.#unsettled.get(workspaceId) ?? []), ...all])
    this.wake(workspaceId)
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

/** A claimed delivery with what is sent. */
interface ClaimedMessage {
  readonly claim: ClaimedDelivery
  readonly webhook: Webhook
  /** Undefined where it is not kept any more. */
  readonly body: string | undefined
}

/** An attempt with its place, unless the next delivery has that. */
interface Ended extends EndedAttempt {
  readonly place?: Place | undefined
}

function receiverOf({ id, workspaceId, url, failingSince, lastSuccessAt }: Webhook): Receiver {
  return { id, workspaceId, host: hostOf(url), failing: failingSince !== null, succeeded: lastSuccessAt !== null }
}

type HasClaim = Pick<ClaimedMessage, 'claim'>

/** Deliveries that are due at one moment, as after a write of many, go in the order in which they were made. */
function byAge({ claim: a }: HasClaim, { claim: b }: HasClaim): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1)
}

/** The order changes, so that no webhook is always the first where there is no room for all of a workspace. */
function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
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
