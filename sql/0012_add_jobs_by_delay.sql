-- Jobs may be added for so many milliseconds from now, by the database's clock: the clocks of servers differ.
-- Locks: nothing; the function is replaced. Recovery: the file runs in one transaction; fix the cause and start again.

-- Adds jobs in the caller's transaction. It runs as the owner, so the request role can add jobs and can read none.
-- `jobs` is an array of {task, payload, key, run_at, in_ms, priority, max_attempts, limit_key, limit_max}; each key occurs once in
-- it. Without `run_at` a job runs in `in_ms` milliseconds; less than 0 gives it the place of one that was due then.
--
-- It does what graphile_worker.add_jobs does for jobs without queues and flags, in a fraction of the time (that looks through
-- all keys on every call), and never drops a job: that one adds nothing when a worker takes the job that is to be replaced
-- between two of its statements.
--
-- Of a key with a long line the jobs are parked here at once, so that a burst for one key does not pass through the workers.
-- The first 32 are left to core.take_job_place, which decides under a lock: that way no job is parked behind a line that has just
-- ended, but in the moment between a long line's end and this transaction's; core.admit_jobs finds those within seconds.
create or replace function core.enqueue(jobs json) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  line_min constant integer := 32;
  -- Keys that are not placed yet; null means all jobs.
  pending text[];
begin
  insert into graphile_worker._private_tasks (identifier)
  select distinct new.task
  from json_to_recordset(jobs) as new (task text)
  where not exists (select from graphile_worker._private_tasks as known where known.identifier = new.task)
  on conflict do nothing;

  for round in 1..10 loop
    with given as (
      select new.*, case
        when new.limit_key is null or new.run_at > now() then false
        else row_number() over (partition by new.limit_key) + (
          select count(*)
          from (select from core.job_place as place where place.limit_key = new.limit_key limit line_min) as line
        ) > line_min
      end as parks
      from (
        select
          job.task, job.payload, job.key, job.priority, job.max_attempts, job.limit_key, job.limit_max,
          coalesce(job.run_at, now() + job.in_ms * interval '1 millisecond') as run_at
        from json_to_recordset(jobs) as job (
          task text, payload json, key text, run_at timestamptz, in_ms bigint, priority smallint, max_attempts smallint,
          limit_key text, limit_max smallint
        )
      ) as new
      where pending is null or new.key = any (pending)
    ),
    added as (
      insert into graphile_worker._private_jobs as job (
        task_id, payload, run_at, max_attempts, key, priority, flags, locked_by, locked_at
      )
      select
        task.id, given.payload, coalesce(given.run_at, now()), coalesce(given.max_attempts, 25), given.key,
        coalesce(given.priority, 0),
        case
          when given.limit_key is not null
            then jsonb_build_object('limit', jsonb_build_object('key', given.limit_key, 'max', given.limit_max))
        end,
        case when given.parks then 'core:parked' end, case when given.parks then timestamptz 'infinity' end
      from given
      join graphile_worker._private_tasks as task on task.identifier = given.task
      -- The order keeps two transactions that replace the same jobs from waiting for each other.
      order by given.key
      on conflict (key) do update
      set
        task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
        max_attempts = excluded.max_attempts, priority = excluded.priority, revision = job.revision + 1,
        job_queue_id = null, flags = excluded.flags, attempts = 0, last_error = null, updated_at = now(),
        locked_by = excluded.locked_by, locked_at = excluded.locked_at
      where job.is_available or job.locked_by = 'core:parked'
      returning job.id, job.key, job.priority, job.run_at, job.flags, job.revision, job.locked_by
    ),
    parked as (
      insert into core.job_place (job_id, limit_key, limit_max, state, priority, run_at)
      select
        added.id, added.flags #>> '{limit,key}', (added.flags #>> '{limit,max}')::smallint, 'PARKED', added.priority,
        added.run_at
      from added
      where added.locked_by is not null
      on conflict (job_id) do update
      set
        limit_key = excluded.limit_key, limit_max = excluded.limit_max, state = 'PARKED', worker = null,
        priority = excluded.priority, run_at = excluded.run_at
    ),
    -- A job that is replaced by one for later, or by one without a limit, no longer waits for a place.
    unparked as (
      delete from core.job_place as place
      using added
      where place.job_id = added.id and added.locked_by is null and added.revision > 0
    )
    select array(
      select new.key
      from json_to_recordset(jobs) as new (key text)
      where (pending is null and new.key is not null or new.key = any (pending))
        and new.key not in (select added.key from added where added.key is not null)
    )
    into pending;

    if cardinality(pending) = 0 then
      -- The text is the same each time, so that several calls in a transaction announce themselves once.
      perform pg_notify('jobs:insert', '{"count":1}');
      return;
    end if;

    -- These run right now: they are left to finish, without another attempt, and give up their keys.
    update graphile_worker._private_jobs as job
    set key = null, attempts = max_attempts, updated_at = now()
    where job.key = any (pending) and not job.is_available and job.locked_by is distinct from 'core:parked';
  end loop;
  raise exception 'core.enqueue: % jobs could not be added', cardinality(pending);
end
$$;
