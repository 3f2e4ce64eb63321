import type { Database, JobClock, Logger, Tx } from 'mneme/plugin'
import { dispatchJobAt } from '../jobs.ts'
import { findBodies, notePolling, webhooksDue } from '../queries/attempts.ts'
import { Capacity, type Place } from './capacity.ts'
import { type ClaimedMessage, Claims, type DueDelivery } from './claims.ts'
import { Polling } from './polling.ts'
import { claimFor } from './queue.ts'
import type { AttemptResult, Sender } from './send.ts'
import { type EndedAttempt, type SettleParts, settleAttempts } from './settle.ts'

export interface DispatcherParts extends Omit<SettleParts, 'now' | 'random'> {
  readonly database: Database
  readonly sender: Sender
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
  readonly #capacity = new Capacity(workspaceId => this.wake(workspaceId))
  readonly #waiting = new Set<string>()
  readonly #cycling = new Map<string, Promise<void>>()
  readonly #ended = new Map<string, Ended[]>()
  /** Claimed deliveries that follow in the places of earlier ones, by webhook. */
  readonly #lines = new Map<string, ClaimedMessage[]>()
  readonly #failures = new Map<string, number>()
  readonly #resting = new Set<string>()
  readonly #polling: Polling
  readonly #abort = new AbortController()
  #idle: (() => void)[] = []

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#polling = new Polling(workspaceId => this.wake(workspaceId))
  }

  wake(workspaceId: string): void {
    this.#waiting.add(workspaceId)
    this.#next()
  }

  running(): number {
    return this.#capacity.running
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
    const ended = this.#ended.get(workspaceId) ?? []
    this.#ended.delete(workspaceId)
    const claims = new Claims(this.#capacity)
    try {
      await this.#parts.database.workspace(workspaceId, async tx => {
        if (ended.length > 0) await settleAttempts(tx, this.#settleParts(), workspaceId, ended)
        if (this.#abort.signal.aborted) return
        await this.#claim(tx, workspaceId, claims)
        const polledMs = this.#polling.renewal(workspaceId, claims.taken.length + claims.following.length)
        if (polledMs > 0) await notePolling(tx, workspaceId, polledMs)
      })
      this.#polling.looked(workspaceId)
      this.#failures.delete(workspaceId)
    } catch (error) {
      claims.abandon()
      this.#failed(workspaceId, ended, error)
      return
    }
    for (const { place, result } of ended) place?.release(verdictOn(result))
    claims.releaseUnused()
    for (const due of claims.following)
      this.#lines.set(due.webhook.id, [...(this.#lines.get(due.webhook.id) ?? []), due])
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
        const own = await claimFor(queue, tx, { workspaceId, webhookId: webhook.id, limit, now })
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
        ? Promise.resolve(NOT_KEPT)
        : sender.send({ deliveryId: claim.id, body, webhook }, this.#abort.signal)
    void sending
      .catch((error: unknown) => {
        log.error({ err: error, webhook: webhook.id }, 'an attempt to deliver broke off')
        return BROKEN
      })
      .then(result => this.#attempted(workspaceId, { claim, webhook, result, place }))
  }

  /** After a success the next delivery takes the place; after anything else those that would have followed go back. */
  #attempted(workspaceId: string, { place, ...attempt }: Ended): void {
    const { id } = attempt.webhook
    const line = this.#lines.get(id) ?? []
    const succeeded = attempt.result.outcome === 'succeeded'
    const next = succeeded && place ? line.shift() : undefined
    const returned = succeeded ? [] : line.splice(0)
    if (line.length === 0) this.#lines.delete(id)
    const ended = this.#ended.get(workspaceId) ?? []
    this.#ended.set(workspaceId, ended)
    ended.push({ ...attempt, place: next ? undefined : place })
    for (const { claim, webhook } of returned) ended.push({ claim, webhook, result: NOT_MADE, place: undefined })
    if (next && place) this.#attempt(workspaceId, { ...next, place })
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
    this.#ended.set(workspaceId, [...ended, ...(this.#ended.get(workspaceId) ?? [])])
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

async function nowOf(tx: Tx): Promise<Date> {
  const [row] = await tx<{ now: Date }[]>`select now() as now`
  return row?.now ?? new Date()
}

/** An attempt with its place, unless the next delivery has that. */
interface Ended extends EndedAttempt {
  readonly place: Place | undefined
}

const NO_RESPONSE = { responseCode: null, responseBody: null, durationMs: 0 }
const NOT_KEPT: AttemptResult = {
  ...NO_RESPONSE,
  outcome: 'invalid',
  error: 'What was to be sent is not kept any more.',
}
const NOT_MADE: AttemptResult = { ...NO_RESPONSE, outcome: 'interrupted', error: null }
const BROKEN: AttemptResult = { ...NO_RESPONSE, outcome: 'invalid', error: 'The attempt could not be made.' }

function verdictOn({ outcome }: AttemptResult): 'succeeded' | 'failed' | undefined {
  if (outcome === 'interrupted') return undefined
  return outcome === 'succeeded' ? 'succeeded' : 'failed'
}

type Found = Pick<DueDelivery, 'claim' | 'webhook'>

/** Deliveries that are due at one moment, as after a write of many, go in the order in which they were made. */
function byAge({ claim: a }: Found, { claim: b }: Found): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1)
}

/** The order changes, so that no webhook is always the first where there is no room for all of a workspace. */
function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
