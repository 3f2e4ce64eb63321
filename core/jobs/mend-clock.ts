import type { Database, Tx } from '../db/database.ts'

/** A smaller step makes no difference. */
const STEP_MS_MIN = 2000

/** Mends what a clock that was wrong, and is right again, left in the queue; a supervisor of jobs asks for it every few seconds. */
export class ClockMender {
  readonly #database: Database
  #seenAt: Date | undefined

  constructor(database: Database) {
    this.#database = database
  }

  async mend(): Promise<void> {
    await this.#database.system(async tx => {
      const [[row]] = await Promise.all([tx<{ now: Date }[]>`select now() as now`, mendSchedules(tx)])
      const now = row?.now ?? new Date(0)
      // Looking through all jobs is worth it only where the clock was put back, which may have been before this process began.
      if (!this.#seenAt || now.getTime() < this.#seenAt.getTime() - STEP_MS_MIN) await mendJobs(tx)
      this.#seenAt = now
    })
  }
}

/**
 * graphile-worker runs a schedule only at a later time than it last ran, by the clock of the server that ran it. One whose clock was
 * ahead would stop it for all servers until then.
 */
function mendSchedules(tx: Tx) {
  return tx`
    update graphile_worker._private_known_crontabs
    set last_execution = now()
    where last_execution > now() + interval '2 minutes'`
}

/** Jobs that were added or put off before the database's clock was put back keep their delay, and count it from now. */
function mendJobs(tx: Tx) {
  return tx`
    update graphile_worker._private_jobs
    set run_at = now() + greatest(run_at - updated_at, interval '0'), created_at = least(created_at, now()), updated_at = now()
    where updated_at > now() + ${STEP_MS_MIN}::int * interval '1 millisecond'
      and run_at > now()`
}
