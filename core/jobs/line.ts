import { SMALL_BYTES } from '../resources/bounded-cache.ts'
import { type Holding, held } from '../resources/holdings.ts'

export interface LinedJob {
  readonly id: string
  /** Lower is more urgent. */
  readonly priority: number
}

export interface PutOffJob {
  readonly id: string
  /** The time until which it was put off, as the database writes it; whoever puts it off again sets another. */
  readonly runAt: string
}

interface Waiting {
  readonly task: string
  readonly runAt: string
}

/** Further jobs are not remembered: they come again by themselves. */
const LINE_MAX = 5000

/** The jobs of a plugin that this process has put off, by urgency and in the order in which they came. */
export class Line {
  readonly #jobs = new Map<number, Map<string, Waiting>>()
  #length = 0
  readonly holding: Holding = held({
    name: 'jobs.put_off',
    maxBytes: LINE_MAX * SMALL_BYTES,
    bytes: () => this.#length * SMALL_BYTES,
  })

  isEmpty(): boolean {
    return this.#length === 0
  }

  add(task: string, { id, priority }: LinedJob, runAt: string): void {
    if (this.#length >= LINE_MAX && !this.#leftOutFor(priority)) return
    const jobs = this.#jobs.get(priority) ?? new Map<string, Waiting>()
    this.#jobs.set(priority, jobs)
    if (!jobs.has(id)) this.#length++
    jobs.set(id, { task, runAt })
  }

  remove({ id, priority }: LinedJob): void {
    const jobs = this.#jobs.get(priority)
    if (!jobs?.delete(id)) return
    this.#length--
    if (jobs.size === 0) this.#jobs.delete(priority)
  }

  /**
   * Takes out the first `limit` jobs.
   * @param hasRoom tells whether another job of a task may be taken; those of the others stay
   */
  next(limit: number, hasRoom: (task: string) => boolean): PutOffJob[] {
    const taken: PutOffJob[] = []
    for (const priority of [...this.#jobs.keys()].toSorted((a, b) => a - b)) {
      for (const [id, { task, runAt }] of this.#jobs.get(priority) ?? []) {
        if (taken.length >= limit) return taken
        if (!hasRoom(task)) continue
        taken.push({ id, runAt })
        this.remove({ id, priority })
      }
    }
    return taken
  }

  /** Leaves out a less urgent job, the one that comes again first. @returns whether there was one */
  #leftOutFor(priority: number): boolean {
    const least = Math.max(...this.#jobs.keys())
    const [id] = this.#jobs.get(least)?.keys() ?? []
    if (id === undefined || least <= priority) return false
    this.remove({ id, priority: least })
    return true
  }
}
