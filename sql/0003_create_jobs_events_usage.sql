-- Jobs (beside graphile-worker's own schema, which exists by now), the outbox of events, and usage counters.
-- Locks: nothing that exists before but core.workspace, for the trigger. Recovery: the file runs in one transaction; fix the
-- cause and start again.
-- Control-plane tables: core.worker_lease.

-- Adds jobs in the caller's transaction. It runs as the owner, so the request role can add jobs and can read none.
-- `jobs` is an array of {task, payload, key, run_at, priority, max_attempts}; each key occurs once in it.
create function core.enqueue(jobs json) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  pending graphile_worker.job_spec[];
  added text[];
begin
  -- In the order of their keys, so that two transactions that replace the same jobs cannot wait for each other.
  pending := array(
    select row(
      job.task, job.payload, null, job.run_at, job.max_attempts, job.key, job.priority, null
    )::graphile_worker.job_spec
    from json_to_recordset(jobs) as job (
      task text, payload json, key text, run_at timestamptz, priority smallint, max_attempts smallint
    )
    order by job.key
  );
  -- graphile-worker 0.18 drops a job without a word when a worker starts the one it would replace between two of the
  -- function's statements. The next round sees that job running and adds a new one beside it.
  for round in 1..10 loop
    if cardinality(pending) = 0 then
      return;
    end if;
    added := array(select job.key from graphile_worker.add_jobs(pending) as job where job.key is not null);
    pending := array(select spec from unnest(pending) as spec where spec.job_key is not null and spec.job_key <> all (added));
  end loop;
  if cardinality(pending) > 0 then
    raise exception 'core.enqueue: % jobs could not be added', cardinality(pending);
  end if;
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

-- What happened, written with the change itself. Subscribers' jobs point here; the activity feed reads it newest first by id,
-- which is a UUID of version 7.
create table core.event (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id text,
  user_id text,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint event_pk primary key (workspace_id, id)
);

-- For the purge of old events only; rows arrive in this order, so a block range index is enough and costs writes nothing.
create index event_created_at on core.event using brin (created_at);

select core.protect_tenant_table('core.event');

-- What workspaces use, a day (UTC) a row. `input` counts tokens read, or requests; `output` tokens written.
create table core.usage (
  workspace_id uuid not null,
  day date not null,
  metric text not null,
  operation text not null default '',
  input bigint not null default 0,
  output bigint not null default 0,
  constraint usage_pk primary key (workspace_id, day, metric, operation)
);

select core.protect_tenant_table('core.usage');

-- A foreign key would lock the workspace's row on every write of the hot path, so the rows go by trigger.
create function core.erase_workspace_records() returns trigger
  language plpgsql
  as $$
begin
  delete from core.event where workspace_id = old.id;
  delete from core.usage where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_records
  after delete on core.workspace
  for each row execute function core.erase_workspace_records();
