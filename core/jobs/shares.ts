import { Line, type LinedJob, type PutOffJob } from './line.ts'
import type { Task } from './task.ts'

/**
 * The job got a place, or comes again in so many milliseconds. Once it has been put off, until `runAt` as the database writes it, it
 * stands in line: {@link Shares.next} gives it out as soon as there is a place.
 */
export type Share = { leave(): void } | { readonly retryInMs: number; standInLine(runAt: string): void }

interface TaskLoad {
  readonly perProcessMax: number
  running: number
  /** The duration of recent attempts; undefined before the first one ended. */
  meanMs: number | undefined
}

interface OwnerLoad {
  readonly running: Set<{ readonly begunAt: number }>
  readonly tasks: Map<string, TaskLoad>
  readonly line: Line
  /** The last job that found no place comes again then. */
  lineEndsAt: number
}

/** Jobs that take less hold no place for long: those of one plugin may have all places then, since others soon find one. */
const QUICK_MS = 100
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 60_000

/**
 * Shares out the places of a process, of which no plugin may have all for long: however many jobs one adds, and however
 * long they take, those of others find a place. Jobs that find none come again after the time that those before them
 * will take by estimate, so that they are not fetched over and over, or as soon as a place is free.
 */
export class Shares {
  readonly #ownerMax: number
  readonly #now: () => number
  readonly #placeIsFree: (ownerId: string) => void
  readonly #owners = new Map<string, OwnerLoad>()

  /**
   * @param places jobs at once in this process
   * @param placeIsFree called when a job of a plugin left while others of it stand in line
   */
  constructor(
    places: number,
    placeIsFree: (ownerId: string) => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#ownerMax = shareOf(places)
    this.#placeIsFree = placeIsFree
    this.#now = now
  }

  /** @param ownerId the task's plugin; tasks of the kernel have none, and take any place */
  take(task: Pick<Task, 'name' | 'perProcessMax'>, job: LinedJob, ownerId?: string): Share {
    if (ownerId === undefined) return { leave: () => undefined }
    const owner = entry(this.#owners, ownerId, newOwner)
    const load = entry(owner.tasks, task.name, () => newTask(task))
    owner.line.remove(job)
    const shareIsFull = owner.running.size >= this.#ownerMax && !this.#isQuick(owner, load)
    if (shareIsFull || load.running >= load.perProcessMax) {
      const retryInMs = this.#retryInMs(owner, load, Math.min(this.#ownerMax, load.perProcessMax))
      return { retryInMs, standInLine: runAt => owner.line.add(task.name, job, runAt) }
    }
    const attempt = { begunAt: this.#now() }
    owner.running.add(attempt)
    load.running++
    return {
      leave: () => {
        owner.running.delete(attempt)
        load.running--
        const tookMs = this.#now() - attempt.begunAt
        load.meanMs = load.meanMs === undefined ? tookMs : load.meanMs + (tookMs - load.meanMs) / 8
        if (!owner.line.isEmpty()) this.#placeIsFree(ownerId)
      },
    }
  }

  /** Takes those jobs of a plugin out of its line that would find a place now, the most urgent first. */
  next(ownerId: string): PutOffJob[] {
    const owner = this.#owners.get(ownerId)
    if (!owner) return []
    const given = new Map<string, number>()
    return owner.line.next(this.#ownerMax - owner.running.size, name => {
      const load = owner.tasks.get(name)
      const places = given.get(name) ?? 0
      given.set(name, places + 1)
      return load !== undefined && load.running + places < load.perProcessMax
    })
  }

  #isQuick(owner: OwnerLoad, { meanMs = Number.POSITIVE_INFINITY }: TaskLoad): boolean {
    return Math.max(meanMs, this.#meanAgeMs(owner)) < QUICK_MS
  }

  #meanAgeMs({ running }: OwnerLoad): number {
    const now = this.#now()
    const sum = [...running].reduce((ages, { begunAt }) => ages + now - begunAt, 0)
    return sum / Math.max(1, running.size)
  }

  #retryInMs(owner: OwnerLoad, { meanMs = 0 }: TaskLoad, places: number): number {
    const now = this.#now()
    const turnMs = Math.max(meanMs, this.#meanAgeMs(owner)) / places
    const waitMs = Math.min(RETRY_MS_MAX, Math.max(0, owner.lineEndsAt - now) + turnMs)
    owner.lineEndsAt = now + waitMs
    return Math.round(Math.max(RETRY_MS_MIN, waitMs))
  }
}

/** Returns three quarters of the places, rounded down, and at least one. */
export function shareOf(places: number): number {
  return Math.max(1, Math.floor((places * 3) / 4))
}

function newOwner(): OwnerLoad {
  return { running: new Set(), tasks: new Map(), line: new Line(), lineEndsAt: 0 }
}

function newTask({ perProcessMax = Number.POSITIVE_INFINITY }: Pick<Task, 'perProcessMax'>): TaskLoad {
  return { perProcessMax, running: 0, meanMs: undefined }
}

function entry<T>(entries: Map<string, T>, key: string, create: () => T): T {
  const known = entries.get(key)
  if (known !== undefined) return known
  const made = create()
  entries.set(key, made)
  return made
}
