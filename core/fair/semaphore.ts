import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'

export interface SemaphoreOptions<C extends string = string> {
  readonly clock: Clock
  /** Permits in all, and of each key; without bound where left out. */
  readonly total?: number
  readonly perKey?: number
  /** A further condition: whether a key may have one more permit as things stand. Call `look` where it changes by itself. */
  admits?(state: SemaphoreState<C>): boolean
  /** The most urgent class first; without it all are equal. */
  readonly classes?: Readonly<Record<C, ClassOptions>>
  /** So many may wait, in all and of each key. */
  readonly waitingMax?: number
  readonly waitingPerKeyMax?: number
  /** The longest that one waits, in milliseconds. */
  readonly waitMs?: number
  /** A permit lapses after so many milliseconds, as its work may never settle. */
  readonly heldMs?: number
  /** Permits of each place that is asked for, whoever asks. */
  readonly perPlace?: number
  /** Makes the error for one that gets no permit: too many wait, it waited too long, or its caller went away. */
  refuse(why: 'full' | 'late' | 'aborted', signal?: AbortSignal): unknown
}

export interface ClassOptions {
  /** Permits that the class has at the most in all. */
  readonly max?: number
  /** The class leaves so many of `total` to others. */
  readonly leaves?: number
  /** So many of one key start in a row before one of a less urgent class that waits; no bound where left out. */
  readonly inRowMax?: number
}

export interface SemaphoreState<C extends string = string> {
  readonly key: string
  readonly of: C | undefined
  /** Permits that the key has. */
  readonly own: number
  /** Permits of all keys. */
  readonly all: number
  /** Keys that have a permit or wait for one. */
  readonly keys: number
}

export interface Acquiring<C extends string = string> {
  readonly of?: C
  /** Names what the work goes to, such as a host, where that has a bound of its own. */
  readonly place?: string
  /** Asked for only where there is a wait, since making a signal costs time. */
  readonly signal?: () => AbortSignal
  /** Replaces that of the semaphore. */
  readonly waitMs?: number
}

/** Gives the permit back, after a rest if one is given. Only the first call counts. */
export type Release = (restMs?: number) => void

interface Class<C> {
  readonly name: C | undefined
  readonly options: ClassOptions
  running: number
}

interface Wanted<C> {
  readonly of?: C | undefined
  readonly place?: string | undefined
}

interface Waiter<C> extends Wanted<C> {
  start(): void
}

interface Lane<C> {
  readonly key: string
  running: number
  waiting: number
  /** Urgent ones that started in a row while others waited. */
  inRow: number
  /** A queue for each class, the most urgent first. */
  readonly queues: readonly Set<Waiter<C>>[]
}

/**
 * Bounds what is under way at once, in all and for each key. Keys that wait have turns; within a key the more urgent class goes first,
 * and within a class whoever came first.
 */
export class Semaphore<C extends string = string> {
  readonly #lanes = new Map<string, Lane<C>>()
  /** Keys that wait, in the order of their turns. */
  readonly #turns = new Set<Lane<C>>()
  readonly #classes: readonly Class<C>[]
  readonly #places = new Map<string, number>()
  running = 0
  waiting = 0
  refused = 0

  constructor(readonly options: SemaphoreOptions<C>) {
    const named = Object.entries<ClassOptions>(options.classes ?? {}) as [C, ClassOptions][]
    const classes: readonly (readonly [C | undefined, ClassOptions])[] = named.length > 0 ? named : [[undefined, {}]]
    this.#classes = classes.map(([name, own]) => ({ name, options: own, running: 0 }))
  }

  /** Runs `work` with a permit. Throws what `refuse` makes. */
  async run<T>(key: string, asked: Acquiring<C>, work: () => Promise<T> | T): Promise<T> {
    const release = this.#tryNow(key, asked) ?? (await this.acquire(key, asked))
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** @returns undefined where there is no permit now, or others of the class wait for one */
  tryAcquire(key: string, of?: C): Release | undefined {
    return this.#tryNow(key, { of })
  }

  /** Counts the permits of a place. */
  runningAt(place: string): number {
    return this.#places.get(place) ?? 0
  }

  #tryNow(key: string, wanted: Wanted<C>): Release | undefined {
    const lane = this.#laneOf(key)
    // Those that wait may do so for another place.
    const isNext = this.options.perPlace !== undefined || this.#queueOf(lane, wanted.of).size === 0
    if (isNext && this.#mayStart(lane, wanted)) return this.#start(lane, wanted)
    this.#forgetIdle(lane)
    return undefined
  }

  /** Waits for a permit. Throws what `refuse` makes. */
  async acquire(key: string, asked: Acquiring<C> = {}): Promise<Release> {
    const { of, place, waitMs = this.options.waitMs } = asked
    const free = this.#tryNow(key, asked)
    if (free) return free
    const { clock, waitingMax = Infinity, waitingPerKeyMax = Infinity } = this.options
    const lane = this.#laneOf(key)
    const signal = asked.signal?.()
    if (signal?.aborted) throw this.#refuse(lane, 'aborted', signal)
    if (this.waiting >= waitingMax || lane.waiting >= waitingPerKeyMax) throw this.#refuse(lane, 'full')
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    // Leaving the queue settles it, so that it is never settled twice.
    const waiter = { of, place, start: () => this.#leave(lane, waiter) && resolve(this.#start(lane, waiter)) }
    const refuse = (why: 'late' | 'aborted') => () => {
      if (this.#leave(lane, waiter)) reject(this.#refuse(lane, why, signal))
    }
    this.#enter(lane, waiter)
    const callOff = waitMs === undefined ? undefined : clock.after(waitMs, refuse('late'))
    const aborted = refuse('aborted')
    signal?.addEventListener('abort', aborted, { once: true })
    try {
      return await promise
    } finally {
      callOff?.()
      signal?.removeEventListener('abort', aborted)
    }
  }

  /** Starts what may start now, a permit for each key in turn. */
  look(): void {
    // A key that started one has its next turn behind the others, so the loop comes by once more. One without room keeps its place.
    for (const lane of this.#turns) {
      if (this.running >= (this.options.total ?? Infinity)) return
      this.#next(lane)
    }
  }

  #mayStart({ key, running: own }: Lane<C>, { of, place }: Wanted<C>): boolean {
    const { total = Infinity, perKey = Infinity, perPlace = Infinity, admits } = this.options
    const { max = Infinity, leaves = 0 } = this.#classOf(of).options
    if (own >= perKey || this.running >= total - leaves || this.#classOf(of).running >= max) return false
    if (place !== undefined && this.runningAt(place) >= perPlace) return false
    return admits?.({ key, of, own, all: this.running, keys: this.#lanes.size }) ?? true
  }

  #start(lane: Lane<C>, wanted: Wanted<C>): Release {
    const { clock, heldMs } = this.options
    this.#count(lane, wanted, 1)
    let isHeld = true
    const end = () => {
      this.#count(lane, wanted, -1)
      this.#freed(lane)
    }
    const release: Release = (restMs = 0) => {
      if (!isHeld) return
      isHeld = false
      lapse?.()
      if (restMs > 0) clock.after(restMs, end)
      else end()
    }
    const lapse = heldMs === undefined ? undefined : clock.after(heldMs, release)
    return release
  }

  /** Without a bound in all, what one key gives back is of no use to others. */
  #freed(lane: Lane<C>): void {
    const { total, admits, perPlace } = this.options
    if (this.#turns.delete(lane) && lane.waiting > 0) this.#turns.add(lane)
    this.#forgetIdle(lane)
    if (total === undefined && perPlace === undefined && !admits) this.#next(lane)
    else this.look()
  }

  /** Starts the next one of a key, if one may start. */
  #next(lane: Lane<C>): void {
    for (const [rank, queue] of this.#inOrder(lane)) {
      const first = this.#firstOf(lane, queue)
      if (!first) continue
      const isOther = lane.queues.some((other, n) => n > rank && other.size > 0)
      lane.inRow = isOther ? lane.inRow + 1 : 0
      this.#turns.delete(lane)
      first.start()
      if (lane.waiting > 0) this.#turns.add(lane)
      return
    }
  }

  /** Whoever came first, or first to a place that has room. */
  #firstOf(lane: Lane<C>, queue: Set<Waiter<C>>): Waiter<C> | undefined {
    for (const waiter of queue) {
      if (this.#mayStart(lane, waiter)) return waiter
      if (this.options.perPlace === undefined) return undefined
    }
    return undefined
  }

  /** The queues of a key by urgency; after many urgent ones in a row the others come first. */
  #inOrder({ queues, inRow }: Lane<C>): [number, Set<Waiter<C>>][] {
    const order = [...queues.entries()]
    const { inRowMax = Infinity } = this.#classes[0]?.options ?? {}
    return inRow >= inRowMax ? [...order.slice(1), ...order.slice(0, 1)] : order
  }

  #enter(lane: Lane<C>, waiter: Waiter<C>): void {
    this.#queueOf(lane, waiter.of).add(waiter)
    lane.waiting++
    this.waiting++
    this.#turns.add(lane)
  }

  #leave(lane: Lane<C>, waiter: Waiter<C>): boolean {
    if (!this.#queueOf(lane, waiter.of).delete(waiter)) return false
    lane.waiting--
    this.waiting--
    return true
  }

  #refuse(lane: Lane<C>, why: 'full' | 'late' | 'aborted', signal?: AbortSignal): unknown {
    this.refused++
    this.#forgetIdle(lane)
    return this.options.refuse(why, signal)
  }

  #count(lane: Lane<C>, { of, place }: Wanted<C>, change: 1 | -1): void {
    lane.running += change
    this.running += change
    this.#classOf(of).running += change
    if (place === undefined) return
    const count = this.runningAt(place) + change
    if (count > 0) this.#places.set(place, count)
    else this.#places.delete(place)
  }

  #classOf(of: C | undefined): Class<C> {
    const found = this.#classes[this.#placeOf(of)]
    if (!found) throw new Error(`there is no class ${of}`)
    return found
  }

  #queueOf(lane: Lane<C>, of: C | undefined): Set<Waiter<C>> {
    const queue = lane.queues[this.#placeOf(of)]
    if (!queue) throw new Error(`there is no class ${of}`)
    return queue
  }

  /** Without a class it is the first one. */
  #placeOf(of: C | undefined): number {
    return of === undefined ? 0 : this.#classes.findIndex(({ name }) => name === of)
  }

  #laneOf(key: string): Lane<C> {
    const known = this.#lanes.get(key)
    if (known) return known
    const lane = { key, running: 0, waiting: 0, inRow: 0, queues: this.#classes.map(() => new Set<Waiter<C>>()) }
    this.#lanes.set(key, lane)
    return lane
  }

  #forgetIdle(lane: Lane<C>): void {
    if (lane.waiting === 0) this.#turns.delete(lane)
    if (lane.waiting === 0 && lane.running === 0) this.#lanes.delete(lane.key)
  }
}

interface Measured {
  readonly options: Pick<SemaphoreOptions, 'perKey' | 'waitingPerKeyMax'>
  readonly running: number
  readonly waiting: number
  readonly refused?: number
}

/** Shows limits and use of semaphores by their names, and never by key. */
export function measureSemaphores(registry: Registry, semaphores: Readonly<Record<string, Measured>>): void {
  const all = Object.entries(semaphores)
  const registers = [registry]
  const limit = new Gauge({
    name: 'mneme_share_limit',
    help: 'What one workspace may have in this process: requests of a class that run or wait, and transactions at once.',
    labelNames: ['class', 'state'],
    registers,
  })
  for (const [name, { options }] of all) {
    if (options.perKey !== undefined) limit.labels(name, 'running').set(options.perKey)
    if (options.waitingPerKeyMax !== undefined) limit.labels(name, 'waiting').set(options.waitingPerKeyMax)
  }
  new Gauge({
    name: 'mneme_share_used',
    help: 'Requests of a class and transactions of all workspaces that run or wait for their turn.',
    labelNames: ['class', 'state'],
    registers,
    collect() {
      for (const [name, { running, waiting }] of all) {
        this.labels(name, 'running').set(running)
        this.labels(name, 'waiting').set(waiting)
      }
    },
  })
  new Counter({
    name: 'mneme_share_refused_total',
    help: 'Requests that were refused because too many of their workspace were at work.',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset()
      for (const [name, { refused }] of all) if (refused !== undefined) this.labels(name).inc(refused)
    },
  })
}
