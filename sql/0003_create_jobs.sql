-- Adding jobs to graphile-worker, whose schema exists by now, the leases of its worker pools, and the places of jobs of which only
-- so many may run at once.
-- Control-plane tables: core.worker_lease, core.job_place.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Jobs with a limit (`limit_key`, `limit_max`) that run or wait for a place. A job without a row here was not started yet, or
-- waits for its time. A running job holds its place exactly as long as its worker has it locked, so a place never outlives a
-- killed worker's lock.
create table core.job_place (
  job_id bigint not null,
  limit_key text not null,
  limit_max smallint not null,
  -- PARKED: it waits, locked by nobody, where workers do not see it. ADMITTED: a place is kept until a worker takes it up.
  state text not null,
  -- The worker that runs it.
  worker text,
  priority smallint not null,
  run_at timestamptz not null,
  constraint job_place_pk primary key (job_id),
  constraint job_place_state_check check (state in ('PARKED', 'ADMITTED', 'RUNNING'))
);

create index job_place_line on core.job_place (limit_key, state, priority, run_at, job_id);
create index job_place_parked on core.job_place (limit_key) where state = 'PARKED';

-- Adds jobs in the caller's transaction. It runs as the owner, so the request role can add jobs and can read none.
-- `jobs` is an array of {task, payload, key, run_at, priority, max_attempts, limit_key, limit_max}; each key occurs once in it.
--
-- It does what graphile_worker.add_jobs does for jobs without queues and flags, in a fraction of the time (that looks through
-- all keys on every call), and never drops a job: that one adds nothing when a worker takes the job that is to be replaced
-- between two of its statements.
--
-- Of a key with a long line the jobs are parked here at once, so that a burst for one key does not pass through the workers.
-- The first 32 are left to core.take_job_place, which decides under a lock: that way no job is parked behind a line that has just
-- ended, but in the moment between a long line's end and this transaction's; core.admit_jobs finds those within seconds.
create function core.enqueue(jobs json) returns void
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
      from json_to_recordset(jobs) as new (
        task text, payload json, key text, run_at timestamptz, priority smallint, max_attempts smallint, limit_key text,
        limit_max smallint
      )
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

revoke execute on function core.enqueue(json) from public;
grant execute on function core.enqueue(json) to mneme_app;

-- One row per running worker pool, named as graphile-worker names the holder of a job's lock. A row that is not renewed
-- means a dead worker, whose jobs are given to others.
create table core.worker_lease (
  worker text not null,
  renewed_at timestamptz not null default now(),
  constraint worker_lease_pk primary key (worker)
);

-- Counts a key's places that others than `but_job` hold.
create function core.count_job_places(of_key text, but_job bigint) returns bigint
  language sql stable
  as $$
    select count(*)
    from core.job_place as place
    join graphile_worker._private_jobs as held on held.id = place.job_id
    where place.limit_key = of_key
      and place.job_id <> but_job
      and (place.state = 'ADMITTED' or place.state = 'RUNNING' and held.locked_by = place.worker)
  $$;

-- Gives free places of a key to the first in its line. The caller holds the key's lock.
create function core.admit_jobs_of(of_key text) returns integer
  language plpgsql
  as $$
declare
  admitted integer := 0;
  first_parked core.job_place;
begin
  loop
    select place.*
    into first_parked
    from core.job_place as place
    where place.limit_key = of_key and place.state = 'PARKED'
    order by place.priority, place.run_at, place.job_id
    limit 1;
    exit when not found or core.count_job_places(of_key, first_parked.job_id) >= first_parked.limit_max;
    update graphile_worker._private_jobs as job
    set locked_by = null, locked_at = null
    where job.id = first_parked.job_id and job.locked_by = 'core:parked';
    if found then
      update core.job_place as place set state = 'ADMITTED' where place.job_id = first_parked.job_id;
      admitted := admitted + 1;
    else
      -- The job was removed meanwhile.
      delete from core.job_place as place where place.job_id = first_parked.job_id;
    end if;
  end loop;
  if admitted > 0 then
    perform pg_notify('jobs:insert', '{"count":1}');
  end if;
  return admitted;
end
$$;

-- A worker that has locked a job asks for its place. Without one the job is parked in its key's line, the attempt uncounted, and
-- is let go when its turn comes. Whoever was admitted from the line has its place already, and nobody goes ahead of the line.
create function core.take_job_place(for_job bigint, of_key text, places integer, holder text) returns boolean
  language plpgsql
  as $$
declare
  is_admitted boolean;
  is_free boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('core.job_place:' || of_key, 0));
  is_admitted := exists (
    select from core.job_place as place where place.job_id = for_job and place.state = 'ADMITTED' and place.limit_key = of_key
  );
  is_free := core.count_job_places(of_key, for_job) < places;
  if is_free and (is_admitted or not exists (
    select from core.job_place as place where place.limit_key = of_key and place.state = 'PARKED' and place.job_id <> for_job
  )) then
    insert into core.job_place as place (job_id, limit_key, limit_max, state, worker, priority, run_at)
    select mine.id, of_key, places, 'RUNNING', holder, mine.priority, mine.run_at
    from graphile_worker._private_jobs as mine
    where mine.id = for_job
    on conflict (job_id) do update
    set limit_key = excluded.limit_key, limit_max = excluded.limit_max, state = 'RUNNING', worker = excluded.worker;
    return true;
  end if;
  with parked as (
    update graphile_worker._private_jobs as mine
    set locked_by = 'core:parked', locked_at = 'infinity', attempts = greatest(mine.attempts - 1, 0)
    where mine.id = for_job and mine.locked_by = holder and mine.attempts < mine.max_attempts
    returning mine.id, mine.priority, mine.run_at
  ),
  -- It was replaced between its fetching and now: its successor does the work.
  superseded as (
    delete from graphile_worker._private_jobs as mine
    where mine.id = for_job and mine.locked_by = holder and mine.attempts >= mine.max_attempts
  )
  insert into core.job_place as place (job_id, limit_key, limit_max, state, priority, run_at)
  select parked.id, of_key, places, 'PARKED', parked.priority, parked.run_at
  from parked
  on conflict (job_id) do update
  set
    limit_key = excluded.limit_key, limit_max = excluded.limit_max, state = 'PARKED', worker = null,
    priority = excluded.priority, run_at = excluded.run_at;
  -- A place may be free that the first in the line was not told of.
  if is_free then
    perform core.admit_jobs_of(of_key);
  end if;
  return false;
end
$$;

-- An attempt is over: its place goes to the first in the line.
create function core.leave_job_place(of_job bigint, of_key text, holder text) returns void
  language plpgsql
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('core.job_place:' || of_key, 0));
  delete from core.job_place as place where place.job_id = of_job and place.worker = holder;
  perform core.admit_jobs_of(of_key);
end
$$;

-- Forgets the places of attempts that ended without saying so, and lets those go that wait although a place is free. Looks at up to
-- `keys_max` keys with a line after `after_key`. Returns the last of them, or null when there are no more.
create function core.admit_jobs(after_key text, keys_max integer) returns text
  language plpgsql
  as $$
declare
  next_key text := after_key;
begin
  delete from core.job_place as place
  where place.state <> 'PARKED'
    and not exists (
      select
      from graphile_worker._private_jobs as job
      where job.id = place.job_id and (place.state = 'ADMITTED' or job.locked_by = place.worker)
    );
  for step in 1..keys_max loop
    select place.limit_key
    into next_key
    from core.job_place as place
    where place.state = 'PARKED' and place.limit_key > next_key
    order by place.limit_key
    limit 1;
    exit when not found;
    -- Another worker has the lock and is admitting already.
    if pg_try_advisory_xact_lock(hashtextextended('core.job_place:' || next_key, 0)) then
      perform core.admit_jobs_of(next_key);
    end if;
  end loop;
  return next_key;
end
$$;

revoke execute on function
  core.count_job_places(text, bigint), core.admit_jobs_of(text), core.take_job_place(bigint, text, integer, text),
  core.leave_job_place(bigint, text, text), core.admit_jobs(text, integer)
  from public;
