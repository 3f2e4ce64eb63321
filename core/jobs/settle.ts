import type { Job, JobHelpers } from 'graphile-worker'

/** Says when a claimed job comes again, and how its run counts. */
export interface NextRun {
  /** So many milliseconds from `now`, by default the database's. `unchanged`: in its old place. */
  readonly at: { readonly inMs: number; readonly now: Date | undefined } | 'unchanged'
  /** `kept` gives the attempt back, `reset` all of them; `used` leaves them as they are; after `spent` it does not come again. */
  readonly attempts: 'used' | 'kept' | 'reset' | 'spent'
  /** It was snoozed: where it did not get on, its flags tell since when. */
  readonly waits?: boolean
  /** The error of a failed attempt. */
  readonly error?: string
}

const RESCHEDULE = `
  with superseded as (
    -- The job was replaced while it ran, so its successor does the work.
    delete from graphile_worker._private_jobs
    where id = $1 and locked_by = $2 and attempts >= max_attempts
  ),
  waiting as (
    update graphile_worker._private_jobs
    set
      locked_by = null, locked_at = null, updated_at = now(), last_error = coalesce($5, last_error),
      run_at = coalesce(coalesce($3::timestamptz, now()) + $4::bigint * interval '1 millisecond', run_at),
      attempts = case $6
        when 'used' then attempts
        when 'kept' then greatest(attempts - 1, 0)
        when 'spent' then max_attempts
        else 0
      end,
      flags = case
        -- Once it is replaced, it has lost its key.
        when $6 = 'spent'
          then coalesce(flags, '{}') || jsonb_build_object('failed', jsonb_build_object('attempts', attempts, 'key', key))
        when $6 = 'reset' then flags - 'interrupted' - 'waiting_since'
        when $7 then jsonb_build_object('waiting_since', now()) || coalesce(flags, '{}')
        else flags
      end
    where id = $1 and locked_by = $2 and attempts < max_attempts
    returning run_at
  )
  select run_at::text, case when run_at <= now() and $6 <> 'spent' then pg_notify('jobs:insert', '{"count":1}')::text end
  from waiting`

/**
 * Unlocks a job of `worker` so that it runs again later. graphile-worker must not write its outcome any more, which
 * {@link disown} sees to. Does nothing to a job that another worker has by now.
 *
 * @returns when it runs again, as the database writes it; undefined where nothing was done
 */
export async function reschedule(
  { job, query }: JobHelpers,
  worker: string,
  next: NextRun,
): Promise<string | undefined> {
  const given = [job.id, worker, ...instantOf(next), next.error ?? null, next.attempts, next.waits === true]
  const { rows } = await query<{ run_at: string }>(RESCHEDULE, given)
  disown(job)
  return rows[0]?.run_at
}

/** Returns what to count from, and how far. */
function instantOf({ at }: NextRun) {
  return at === 'unchanged' ? [null, null] : [at.now ?? null, at.inMs]
}

/**
 * graphile-worker completes a job by its id alone, so a row that is unlocked already must not be found by it: it may be
 * waiting, or run elsewhere by then. No row has the id 0.
 */
export function disown(job: Job): void {
  Reflect.set(job, 'id', '0')
}
