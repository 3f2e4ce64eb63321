-- Jobs are added, tried again and given back by the public functions of graphile-worker, and stand in its named queues, each of which
-- runs one job after the other. Places across processes, their lines and the note of the clock are gone with what kept them.
-- Locks: core.job_place and core.clock, which are dropped; no process of this version uses them. Jobs that wait for a place of a former
-- version are let go. Recovery: the file runs in one transaction; fix the cause and start again.

select graphile_worker.force_unlock_workers(array['core:parked']);

drop function core.admit_jobs(text, integer);
drop function core.leave_job_place(bigint, text, text);
drop function core.take_job_place(bigint, text, integer, text);
drop function core.admit_jobs_of(text);
drop function core.count_job_places(text, bigint);
drop table core.job_place;
drop table core.clock;

-- Adds jobs in the caller's transaction. It runs as the owner, so the request role can add jobs and can read none.
-- `jobs` is an array of {task, payload, key, run_at, in_ms, priority, max_attempts, queue, flags}; each key occurs once in it. Without
-- `run_at` a job runs in `in_ms` milliseconds; less than 0 gives it the place of one that was due then.
--
-- graphile_worker.add_jobs adds nothing when a worker takes the job that is to be replaced between two of its statements, so what is
-- missing is added again. Its plans are made once for all sizes of the queue, and must use the index of keys in each.
create or replace function core.enqueue(jobs json) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  -- Keys that are not placed yet; null means all jobs.
  pending text[];
  added text[];
  specs graphile_worker.job_spec[];
begin
  -- Whoever removes unused queues waits for this: a queue that is gone when this commits would never run the job.
  perform pg_advisory_xact_lock_shared(hashtextextended('core.job_queues', 0));
  for round in 1..10 loop
    -- The order keeps two transactions that replace the same jobs from waiting for each other. Jobs that are added together run in their
    -- order, for which each is due a microsecond after the one before.
    select array_agg(
      row(
        new.task, new.payload, new.queue,
        coalesce(new.run_at, now() + new.in_ms * interval '1 millisecond', now() + new.place * interval '1 microsecond'),
        new.max_attempts, new.key, new.priority, new.flags
      )::graphile_worker.job_spec
      order by new.key, new.place
    )
    into specs
    from rows from (
      json_to_recordset(jobs) as (
        task text, payload json, queue text, run_at timestamptz, in_ms bigint, max_attempts smallint, key text, priority smallint,
        flags text[]
      )
    ) with ordinality as new (task, payload, queue, run_at, in_ms, max_attempts, key, priority, flags, place)
    where pending is null or new.key = any (pending);
    -- On its own: a statement that has no use for the keys may leave the call out.
    added := array(select job.key from graphile_worker.add_jobs(specs) as job where job.key is not null);
    pending := array(
      select spec.job_key from unnest(specs) as spec where spec.job_key is not null and spec.job_key <> all (added)
    );
    if cardinality(pending) = 0 then
      return;
    end if;
  end loop;
  raise exception 'core.enqueue: % jobs could not be added', cardinality(pending);
end
$$;

-- Adds a job anew that is being run, which its worker then completes: `in_ms` milliseconds from `since`, or in its old place, with so many
-- attempts behind it. Without `attempts` it is kept as failed for good. Nothing happens to a job that was replaced, or given to another
-- worker, meanwhile.
create function core.requeue_job(
  of_job bigint, payload json, since timestamptz, in_ms bigint, attempts integer, flags text[], error text
) returns void
  language plpgsql
  as $$
declare
  was record;
  again record;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('core.job_queues', 0));
  select job.* into was from graphile_worker.jobs as job where job.id = of_job and job.attempts < job.max_attempts;
  if not found then
    return;
  end if;
  if was.key is not null then
    -- Locks the job that has the key, so that nobody replaces it from here on.
    again := graphile_worker.add_job(was.task_identifier, job_key => was.key, job_key_mode => 'unsafe_dedupe');
    if again.id <> of_job then
      -- It was replaced in this moment. Where its successor is through already, there is one of this call's making.
      if again.revision = 0 then
        perform graphile_worker.remove_job(was.key);
      end if;
      return;
    end if;
  end if;
  again := graphile_worker.add_job(
    was.task_identifier, payload, was.queue_name,
    coalesce(coalesce(since, now()) + in_ms * interval '1 millisecond', was.run_at), was.max_attempts::integer, was.key,
    was.priority::integer, flags
  );
  if error is not null then
    perform graphile_worker.permanently_fail_jobs(array[again.id], error);
  end if;
  if attempts > 0 or attempts = 0 and error is not null then
    perform graphile_worker.reschedule_jobs(array[again.id], attempts => attempts);
  end if;
end
$$;

-- Adds a job anew that nobody runs, as another row: should a worker that was taken for dead be alive, it completes the row that it knows,
-- and not what has replaced that since.
create function core.readd_job(of_job bigint, due_at timestamptz, attempts integer, flags text[]) returns void
  language plpgsql
  as $$
declare
  was record;
  gone record;
  again record;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('core.job_queues', 0));
  select job.* into was from graphile_worker.jobs as job where job.id = of_job;
  select job.* into gone from graphile_worker.complete_jobs(array[of_job]) as job;
  if gone.id is null then
    return;
  end if;
  again := graphile_worker.add_job(
    was.task_identifier, gone.payload, was.queue_name, due_at, was.max_attempts::integer, was.key, was.priority::integer, flags
  );
  if attempts > 0 then
    perform graphile_worker.reschedule_jobs(array[again.id], attempts => attempts);
  end if;
end
$$;

revoke execute on function
  core.requeue_job(bigint, json, timestamptz, bigint, integer, text[], text), core.readd_job(bigint, timestamptz, integer, text[])
  from public;
