-- The embedding models, which of them searches use, and the progress of re-embedding with another one.
-- Control-plane tables: search.model, search.embedding_use.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- The models that made vectors, shared by all workspaces and without content.
create table search.model (
  id smallint generated always as identity,
  model_id text not null,
  dimensions integer not null,
  -- One name can stand for several models at different addresses; the vector of a fixed text tells them apart.
  edition smallint not null default 1,
  -- The source of the model's vectors, so that a former model can still be asked; never a key, nor the query of an address.
  kind text,
  url text,
  model text,
  sends_dimensions boolean not null default false,
  probe vector,
  constraint model_pk primary key (id),
  constraint model_unique unique (model_id, dimensions, edition),
  constraint model_kind_check check (kind in ('local', 'http'))
);

-- The single row says which model searches use, and how far re-embedding is.
create table search.embedding_use (
  name text not null default 'memories',
  -- Queries are embedded with it, and every memory has a vector of it.
  active smallint not null,
  -- All memories get vectors of this model; then it becomes the active one. Where it is the active one, gaps are looked for.
  target smallint,
  -- Every memory up to here was examined, or cleaned of other vectors.
  cursor_workspace uuid,
  cursor_memory uuid,
  all_seen boolean not null default false,
  seen bigint not null default 0,
  total bigint not null default 0,
  -- Memories that the target gives no vector.
  refused bigint not null default 0,
  -- From then on vectors of other models are deleted: no search that began before uses them any more.
  clean_from timestamptz,
  -- The process that works on it, until the lease ends.
  claimed_by uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  problem text,
  resume_at timestamptz,
  -- The process that held the job cannot ask the target, so one that is configured with it has to.
  declined_at timestamptz,
  started_at timestamptz,
  switched_at timestamptz,
  constraint embedding_use_pk primary key (name),
  constraint embedding_use_single_check check (name = 'memories')
);

-- Memories without a vector of the target, while there is a target: the model refused them, or is to be asked again.
create table search.embedding_gap (
  workspace_id uuid not null,
  memory_id uuid not null,
  model smallint not null,
  refused boolean not null,
  -- New with each note, so that a note written meanwhile is not removed with the former one.
  version uuid not null default gen_random_uuid(),
  constraint embedding_gap_pk primary key (workspace_id, memory_id, model)
);

create index embedding_gap_open on search.embedding_gap (model, workspace_id, memory_id) where not refused;

select core.protect_tenant_table('search.embedding_gap');

-- The models a write needs vectors of. Nobody changes them until the transaction ends: a process that wants to waits for this
-- lock, and every later caller waits for that process. The row is read after the lock was taken, so it is never older than that.
create function search.hold_embedding_use() returns table (active smallint, target smallint)
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform pg_advisory_xact_lock_shared(1936028773, 1);
  return query select embedding_use.active, embedding_use.target from search.embedding_use;
end
$$;

revoke execute on function search.hold_embedding_use() from public;
grant execute on function search.hold_embedding_use() to mneme_app;
