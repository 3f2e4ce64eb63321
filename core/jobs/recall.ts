import type { Database } from '../db/database.ts'
import { plainArray, textArray } from '../db/literals.ts'
import type { PutOffJob } from './line.ts'

/** Places that become free together, as those of jobs that were done in one pass, are given out together. */
const JOIN_MS = 5

/** Makes the jobs that a process has put off due as soon as it has places for them, before the time it had estimated. */
export class Recall {
  readonly #owners = new Set<string>()
  #isScheduled = false

  /**
   * @param next takes jobs out of a plugin's line that would find a place now
   * @param look has the queue looked at
   */
  constructor(
    private readonly database: Database,
    private readonly next: (ownerId: string) => readonly PutOffJob[],
    private readonly look: () => void,
  ) {}

  soon(ownerId: string): void {
    this.#owners.add(ownerId)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      // With the database away, the jobs come again at the time that was estimated.
      void this.#recall().catch(() => undefined)
    }, JOIN_MS)
  }

  async #recall(): Promise<void> {
    const owners = [...this.#owners]
    this.#owners.clear()
    let recalled = 0
    for (const owner of owners) recalled += await this.#recallOf(owner)
    if (recalled > 0) this.look()
  }

  /**
   * Those that are gone, or that other processes have run or put off since, as for a new attempt in an hour, leave their places to the next
   * in line.
   */
  async #recallOf(owner: string): Promise<number> {
    for (let jobs = this.next(owner); jobs.length > 0; jobs = this.next(owner)) {
      const ids = plainArray(jobs.map(({ id }) => id))
      const times = textArray(jobs.map(({ runAt }) => runAt))
      const rows = await this.database.system(
        tx => tx`
          update graphile_worker._private_jobs as job
          set run_at = now()
          from unnest(${ids}::bigint[], ${times}::timestamptz[]) as put_off (id, run_at)
          where job.id = put_off.id
            and job.run_at = put_off.run_at
            and job.run_at > now()
            and job.locked_at is null
          returning job.id`,
      )
      if (rows.length > 0) return rows.length
    }
    return 0
  }
}
