-- Adding jobs to graphile-worker, whose schema exists by now, and the leases of its worker pools.
-- Control-plane table: core.worker_lease.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Adds jobs in the caller's transaction. It runs as the owner, so the request role can add jobs and can read none.
-- `jobs` is an array of {task, payload, key, run_at, priority, max_attempts}; each key occurs once in it.
--
-- It does what graphile_worker.add_jobs does for jobs without queues and flags, in a fraction of the time (that looks through
-- all keys on every call), and never drops a job: that one adds nothing when a worker takes the job that is to be replaced
-- between two of its statements.
create function core.enqueue(jobs json) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Keys that are not placed yet; null means all jobs.
  pending text[];
begin
  insert into graphile_worker._private_tasks (identifier)
  select distinct new.task
  from json_to_recordset(jobs) as new (task text)
  where not exists (select from graphile_worker._private_tasks as known where known.identifier = new.task)
  on conflict do nothing;

  for round in 1..10 loop
    with added as (
      insert into graphile_worker._private_jobs as job (task_id, payload, run_at, max_attempts, key, priority)
      select
        task.id, new.payload, coalesce(new.run_at, now()), coalesce(new.max_attempts, 25), new.key, coalesce(new.priority, 0)
      from json_to_recordset(jobs) as new (
        task text, payload json, key text, run_at timestamptz, priority smallint, max_attempts smallint
      )
      join graphile_worker._private_tasks as task on task.identifier = new.task
      where pending is null or new.key = any (pending)
      -- So that two transactions that replace the same jobs cannot wait for each other.
      order by new.key
      on conflict (key) do update
      set
        task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
        max_attempts = excluded.max_attempts, priority = excluded.priority, revision = job.revision + 1,
        job_queue_id = null, flags = null, attempts = 0, last_error = null, updated_at = now()
      where job.is_available
      returning job.key
    )
    select array(
      select new.key
      from json_to_recordset(jobs) as new (key text)
      where (pending is null and new.key is not null or new.key = any (pending))
        and new.key not in (select added.key from added where added.key is not null)
    )
    into pending;

    if cardinality(pending) = 0 then
      -- The same text each time, so that several calls in a transaction announce themselves once.
      perform pg_notify('jobs:insert', '{"count":1}');
      return;
    end if;

    -- These run right now: they are left to finish, without another attempt, and give up their keys.
    update graphile_worker._private_jobs
    set key = null, attempts = max_attempts, updated_at = now()
    where key = any (pending) and not is_available;
  end loop;
  raise exception 'core.enqueue: % jobs could not be added', cardinality(pending);
end
$$;

revoke execute on function core.enqueue(json) from public;
grant execute on function core.enqueue(json) to mneme_app;

-- One row per running worker pool, named as graphile-worker names the holder of a job's lock. A row that is not renewed
-- means a dead worker, whose jobs are given to others.
create table core.worker_lease (
  worker text not null,
  renewed_at timestamptz not null default now(),
  constraint worker_lease_pk primary key (worker)
);
