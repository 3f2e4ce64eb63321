import type { MountedTask } from './attempt.ts'
import { taskFlag } from './queue.ts'
import { OVERRUNS_MAX, type Overruns } from './time-limit.ts'

/** A plugin's jobs may take this share of a process's places, so that those of others find one. */
const OWNER_SHARE = 3 / 4

/**
 * Tells which jobs a process must not take at the moment: of plugins that have their share of its places, of tasks that have as many as they
 * may, and of tasks whose attempts ignore their aborted signals. The kernel's own take any place.
 */
export class Bulkhead {
  readonly #ownerMax: number
  readonly #running = new Map<string, number>()

  constructor(
    private readonly tasks: readonly MountedTask[],
    places: number,
    private readonly overruns: Pick<Overruns, 'count'>,
  ) {
    this.#ownerMax = Math.max(1, Math.floor(places * OWNER_SHARE))
  }

  begin(task: string): void {
    this.#running.set(task, this.#count(task) + 1)
  }

  /** @returns whether others may come now that could not before */
  end(task: string): boolean {
    const wasFull = this.full() !== null
    this.#running.set(task, this.#count(task) - 1)
    return wasFull
  }

  /** Lists flags of jobs to leave in the queue; null where all may come. */
  full(): string[] | null {
    const owners = new Map<string, number>()
    for (const { task, owner } of this.tasks)
      if (owner !== undefined) owners.set(owner, (owners.get(owner) ?? 0) + this.#count(task.name))
    const full = this.tasks.filter(
      ({ task: { name, perProcessMax = Number.POSITIVE_INFINITY }, owner }) =>
        this.#count(name) >= perProcessMax ||
        (owner !== undefined && (owners.get(owner) ?? 0) >= this.#ownerMax) ||
        this.overruns.count(name) >= OVERRUNS_MAX,
    )
    return full.length > 0 ? full.map(({ task }) => taskFlag(task.name)) : null
  }

  #count(task: string): number {
    return this.#running.get(task) ?? 0
  }
}
