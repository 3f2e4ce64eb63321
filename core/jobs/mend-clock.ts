import type { Database, Tx } from '../db/database.ts'
import { plainArray } from '../db/literals.ts'
import { inParts } from '../parts.ts'
import { bringForward } from '../quarantine/store.ts'

/** A smaller step makes no difference. */
const STEP_MS_MIN = 2000
/** One transaction mends the items of so many workspaces. */
const WORKSPACES_TOGETHER = 50

/** The clock is noted anew only when it was last noted so long ago: a smaller step back than that may go unnoticed, and delays no more. */
const NOTE_SECONDS = 60

/** Mends what a clock that was wrong, and is right again, left in queues and waits; a supervisor of jobs asks for it twice a minute. */
export class ClockMender {
  readonly #database: Database
  #isFirst = true

  constructor(database: Database) {
    this.#database = database
  }

  async mend(): Promise<void> {
    const stepMs = await this.#database.system(async tx => {
      const [stepMs] = await Promise.all([readStep(tx), mendSchedules(tx)])
      // Looking through all jobs is worth it only where the clock was put back, which may have been while nobody looked at it.
      if (this.#isFirst || stepMs > STEP_MS_MIN) await mendJobs(tx)
      return stepMs
    })
    this.#isFirst = false
    if (stepMs <= STEP_MS_MIN) return
    try {
      for (const table of await this.#database.system(workTables)) await this.#mendWork(table, stepMs)
      await this.#database.system(tx => Promise.all([bringForward(tx, stepMs), mendTries(tx, stepMs)]))
    } catch (error) {
      // The step is noticed again. Items that are mended twice come early, which does no harm.
      await this.#database.system(tx => noteStep(tx, stepMs))
      throw error
    }
  }

  /**
   * Items keep their delay from the time of the clock's step. A claim of a living process may lapse once by this, so that its item is worked
   * on twice.
   */
  async #mendWork(table: string, stepMs: number): Promise<void> {
    const rows = await this.#database.system(
      tx => tx<{ workspace_id: string }[]>`
        select distinct item.workspace_id
        from ${tx(table)} as item
        where item.due_at > now()
        order by item.workspace_id`,
    )
    for (const part of inParts(rows, WORKSPACES_TOGETHER)) {
      const workspaces = part.map(row => row.workspace_id)
      await this.#database.system(
        tx => tx`
          update ${tx(table)} as item
          set due_at = greatest(now(), item.due_at - ${stepMs}::float8 * interval '1 millisecond')
          where item.workspace_id = any(${plainArray(workspaces)}::uuid[])
            and item.due_at > now()`,
      )
    }
  }
}

/** Returns by how much the clock was put back since any process last asked. Only one of them learns of a step. */
async function readStep(tx: Tx): Promise<number> {
  // A server that vanished may hold the row for a minute; this is asked again in seconds.
  await tx`set local lock_timeout = '2s'`
  // A note that is lost with the power makes a step unnoticed at the most.
  await tx`set local synchronous_commit = off`
  const [row] = await tx<{ step_ms: number }[]>`
    with before as (
      select clock.seen_at
      from core.clock
      where clock.seen_at not between now() - ${NOTE_SECONDS}::int * interval '1 second' and now()
      for update
    )
    update core.clock
    set seen_at = clock_timestamp()
    from before
    returning (1000 * extract(epoch from before.seen_at - clock_timestamp()))::float8 as step_ms`
  return row?.step_ms ?? 0
}

function noteStep(tx: Tx, stepMs: number) {
  return tx`
    update core.clock
    set seen_at = clock_timestamp() + ${stepMs}::float8 * interval '1 millisecond'`
}

/** Nobody waits for a turn at a password, or for the end of a lock, longer than before the step. */
function mendTries(tx: Tx, stepMs: number) {
  const step = tx`${stepMs}::float8 * interval '1 millisecond'`
  return tx`
    update core.password_attempt
    set window_ends_at = greatest(now(), password_attempt.window_ends_at - ${step}),
      next_at = case
        when password_attempt.next_at > now() then greatest(now(), password_attempt.next_at - ${step})
        else password_attempt.next_at
      end
    where password_attempt.window_ends_at > now()
      or password_attempt.next_at > now()`
}

/** Lists the tables that core.make_work_table made: each has a function of its own. */
async function workTables(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select pg_namespace.nspname || '.' || pg_class.relname as name
    from pg_class
    join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    join pg_proc on pg_proc.pronamespace = pg_class.relnamespace and pg_proc.proname = pg_class.relname || '_due_workspaces'
    where pg_class.relkind in ('r', 'p')`
  return rows.map(row => row.name)
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
    with mended as (
      update graphile_worker._private_jobs
      set run_at = now() + greatest(run_at - updated_at, interval '0'), created_at = least(created_at, now()), updated_at = now()
      where updated_at > now() + ${STEP_MS_MIN}::int * interval '1 millisecond'
        and run_at > now()
      returning 1
    )
    select pg_notify('jobs:insert', json_build_object('count', count(*))::text)
    from mended
    having count(*) > 0`
}
