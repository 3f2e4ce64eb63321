import { type Holding, held } from 'mneme/plugin'

/**
 * Bounds the attempts under way at once, so that receivers that hang, of which there may be any number, leave room for those that
 * answer. Each receiver has a window that grows with its successes and falls to one attempt with a failure; receivers that fail, and those
 * that nothing is known of, share a part of all places, and of those at their host. A receiver that takes its time and then answers proves
 * itself all the same, so every workspace leaves a part of the places to others. Bounds are of this process.
 */

/** With tests below the outgoing client's 128 connections and 16 of a host, so that an attempt does not wait there. */
const ALL = { failing: 24, fresh: 32, total: 96 }
const OF_HOST = { failing: 4, fresh: 6, total: 14 }

/** Tests have places beside those of deliveries: somebody waits for each, however much is under way to its receiver. */
const TESTS = { ofWorkspace: 2, ofHost: 2, total: 16 }

const WINDOW_MAX = OF_HOST.total
/** A receiver that succeeded before this process knew it. */
const WINDOW_KNOWN = 4

/** An attempt this long under way says that the receiver is slow now. */
const SLOW_MS = 1000
const SLOW_MAX = 4

/** A receiver rests this long after an attempt that could not be made here: for another process, or for room in this one. */
export const RECEIVER_REST_MS = 2000

/** Receivers that are remembered without an attempt under way. */
const IDLE_MAX = 10_000
/** An estimate, for one without an attempt under way. */
const RECEIVER_BYTES = 500

type Standing = 'failing' | 'fresh' | 'proven'

/** A receiver as its webhook's row tells it. */
export interface Receiver {
  readonly id: string
  readonly workspaceId: string
  readonly host: string
  readonly failing: boolean
  readonly succeeded: boolean
}

/** Places for attempts; give each back once. */
export interface Place {
  /** @param outcome undefined where no attempt was made, or it says nothing of the receiver */
  release(outcome: 'succeeded' | 'failed' | undefined): void
}

export class Capacity {
  readonly #lanes = new Map<string, Lane>()
  readonly #bounds = new Map<string, Bound>()
  readonly #now: () => number
  readonly #wake: (workspaceId: string) => void
  #running = 0
  readonly holding: Holding = held({
    name: 'webhooks.receivers',
    maxBytes: IDLE_MAX * RECEIVER_BYTES,
    bytes: () => this.#lanes.size * RECEIVER_BYTES,
  })

  /**
   * @param wake is told of a workspace that found no room once there is some
   * @param now milliseconds of a clock that never goes back
   */
  constructor(wake: (workspaceId: string) => void, now: () => number = () => performance.now()) {
    this.#wake = wake
    this.#now = now
  }

  get running(): number {
    return this.#running
  }

  /** Takes up to `wanted` places for a receiver; where there are none for others' sake, its workspace is woken when there are. */
  take(receiver: Receiver, wanted: number): Place[] {
    const lane = this.#laneOf(receiver)
    if (this.#now() < lane.restsUntil) return []
    const limits = limitsOf(receiver.host, standingOf(lane, receiver))
    const own = Math.min(
      wanted,
      lane.window - lane.startedAt.size,
      this.#isSlow(lane) ? SLOW_MAX - lane.startedAt.size : wanted,
    )
    const freeOf = (limit: Limit) => freeFor(this.#bounds.get(limit.name) ?? newBound(limit), receiver.workspaceId)
    const count = Math.min(own, ...limits.map(freeOf))
    const full = own > 0 && count <= 0 ? limits.find(limit => freeOf(limit) <= 0) : undefined
    if (full) this.#bound(full).waiting.add(receiver.workspaceId)
    return Array.from({ length: Math.max(0, count) }, () => this.#place(lane, receiver.workspaceId, limits))
  }

  /** Takes a place for a test, or says whose tests have as many as may be. */
  takeTest({ workspaceId, host }: Pick<Receiver, 'workspaceId' | 'host'>): { release(): void } | 'own' | 'others' {
    const own = { name: `tests of ${workspaceId}`, max: TESTS.ofWorkspace }
    const limits = [own, { name: 'tests', max: TESTS.total }, { name: `tests of host ${host}`, max: TESTS.ofHost }]
    const isFull = ({ name, max }: Limit) => (this.#bounds.get(name)?.used ?? 0) >= max
    if (isFull(own)) return 'own'
    if (limits.some(isFull)) return 'others'
    for (const limit of limits) this.#take(limit, workspaceId)
    return {
      release: () => {
        for (const { name } of limits) this.#giveBack(name, workspaceId)
      },
    }
  }

  /** Has a receiver rest for {@link RECEIVER_REST_MS}. Its deliveries stay due meanwhile, so that later ones of their memories wait for them. */
  rest(receiverId: string): void {
    const lane = this.#lanes.get(receiverId)
    if (lane) lane.restsUntil = this.#now() + RECEIVER_REST_MS
  }

  #place(lane: Lane, workspaceId: string, limits: readonly Limit[]): Place {
    const token = {}
    lane.startedAt.set(token, this.#now())
    for (const limit of limits) this.#take(limit, workspaceId)
    this.#running++
    return {
      release: outcome => {
        if (!lane.startedAt.delete(token)) return
        this.#running--
        if (outcome === 'succeeded') lane.window = Math.min(WINDOW_MAX, lane.window * 2)
        if (outcome === 'failed') lane.window = 1
        for (const { name } of limits) this.#giveBack(name, workspaceId)
      },
    }
  }

  /** Wakes one of the workspaces that wait for each bound that has room for it. To be called when places were given back or not needed. */
  nudge(): void {
    for (const [name, bound] of this.#bounds) {
      const next = [...bound.waiting].find(workspaceId => freeFor(bound, workspaceId) > 0)
      if (next === undefined) continue
      bound.waiting.delete(next)
      if (bound.used === 0 && bound.waiting.size === 0) this.#bounds.delete(name)
      this.#wake(next)
    }
  }

  #take(limit: Limit, workspaceId: string): void {
    const bound = this.#bound(limit)
    bound.used++
    bound.held.set(workspaceId, heldBy(bound, workspaceId) + 1)
  }

  #giveBack(name: string, workspaceId: string): void {
    const bound = this.#bounds.get(name)
    if (!bound) return
    bound.used--
    const held = heldBy(bound, workspaceId) - 1
    if (held > 0) bound.held.set(workspaceId, held)
    else bound.held.delete(workspaceId)
    if (bound.used === 0 && bound.waiting.size === 0) this.#bounds.delete(name)
  }

  #bound(limit: Limit): Bound {
    const bound = this.#bounds.get(limit.name) ?? newBound(limit)
    this.#bounds.set(limit.name, bound)
    return bound
  }

  #laneOf({ id, failing, succeeded }: Receiver): Lane {
    const known = this.#lanes.get(id)
    // A receiver that is looked at moves to the end, so that the first idle one is the one to forget.
    if (known) this.#lanes.delete(id)
    const lane = known ?? {
      window: succeeded && !failing ? WINDOW_KNOWN : 1,
      restsUntil: Number.NEGATIVE_INFINITY,
      startedAt: new Map(),
    }
    this.#lanes.set(id, lane)
    if (this.#lanes.size > IDLE_MAX) {
      for (const [oldest, { startedAt }] of this.#lanes) {
        if (startedAt.size > 0) continue
        this.#lanes.delete(oldest)
        break
      }
    }
    return lane
  }

  #isSlow({ startedAt }: Lane): boolean {
    const [first] = startedAt.values()
    return first !== undefined && this.#now() - first > SLOW_MS
  }
}

interface Lane {
  /** Attempts at once. */
  window: number
  restsUntil: number
  /** Attempts under way began at these times, the earliest first. */
  readonly startedAt: Map<object, number>
}

interface Limit {
  readonly name: string
  readonly max: number
  /** True where a workspace leaves a part of it to others. */
  readonly isShared?: boolean
}

interface Bound extends Limit {
  used: number
  /** Counts what each workspace has of it. */
  readonly held: Map<string, number>
  /** Workspaces that found no room in it, in the order in which they came. */
  readonly waiting: Set<string>
}

function newBound(limit: Limit): Bound {
  return { ...limit, used: 0, held: new Map(), waiting: new Set() }
}

function heldBy({ held }: Bound, workspaceId: string): number {
  return held.get(workspaceId) ?? 0
}

/** Whoever comes first may have two thirds of a shared bound; beyond, a workspace takes a place while it has fewer than are free. */
function freeFor(bound: Bound, workspaceId: string): number {
  const free = bound.max - bound.used
  if (!bound.isShared) return free
  return Math.ceil(Math.max(free - bound.max / 3, (free - heldBy(bound, workspaceId)) / 2))
}

function standingOf({ window }: Lane, { failing }: Receiver): Standing {
  if (window > 1) return 'proven'
  return failing ? 'failing' : 'fresh'
}

function limitsOf(host: string, standing: Standing): Limit[] {
  const total = [
    { name: 'total', max: ALL.total, isShared: true },
    { name: `host ${host}`, max: OF_HOST.total },
  ]
  if (standing === 'proven') return total
  const ofHost = { name: `host ${host} ${standing}`, max: OF_HOST[standing] }
  return [...total, { name: standing, max: ALL[standing], isShared: true }, ofHost]
}
