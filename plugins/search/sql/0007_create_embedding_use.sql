-- Which model's vectors searches go by, and the way from one model to the next.
-- Locks: search.model for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

-- Where a model's vectors come from, so that a former one can still be asked; never a key, and no query of an address.
alter table search.model
  drop constraint model_unique,
  -- One name can stand for several models, at different addresses; they are told apart by the vector of a fixed text.
  add column edition smallint not null default 1,
  add column kind text,
  add column url text,
  add column model text,
  add column sends_dimensions boolean not null default false,
  add column probe vector,
  add constraint model_unique unique (model_id, dimensions, edition),
  add constraint model_kind_check check (kind in ('local', 'http'));

update search.model
set kind = 'local'
where model.model_id like 'local/%';

-- The one row: what searches go by, and how far the work is.
-- Control-plane table: search.embedding_use.
create table search.embedding_use (
  name text not null default 'memories',
  -- Queries are embedded with it, and every memory has a vector of it.
  active smallint not null,
  -- All memories are to have vectors of this one; then it becomes the active one. The active one itself is checked for gaps.
  target smallint,
  -- Up to here every memory was looked at, or cleaned of other vectors.
  cursor_workspace uuid,
  cursor_memory uuid,
  all_seen boolean not null default false,
  seen bigint not null default 0,
  total bigint not null default 0,
  -- Memories that the target gives no vector.
  refused bigint not null default 0,
  -- From then on vectors of other models are deleted: no search that began before uses them any more.
  clean_from timestamptz,
  -- A process is at work on it until then.
  claimed_by uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  problem text,
  resume_at timestamptz,
  -- A process that has the job cannot ask the target, so one that is configured with it has to.
  declined_at timestamptz,
  started_at timestamptz,
  switched_at timestamptz,
  constraint embedding_use_pk primary key (name),
  constraint embedding_use_single_check check (name = 'memories')
);

-- Where vectors of several models lie side by side, most memories' model stays and the others' memories are embedded with it.
insert into search.embedding_use (active, target, started_at)
select most.model, case when most.models > 1 then most.model end, now()
from (
  select embedding.model, count(*) over () as models
  from search.embedding
  group by embedding.model
  order by count(*) desc, embedding.model
  limit 1
) as most;

-- Memories without a vector of the target, while there is one: the model never gives them one, or is to be asked again.
create table search.embedding_gap (
  workspace_id uuid not null,
  memory_id uuid not null,
  model smallint not null,
  refused boolean not null,
  -- New with every note, so that what was noted meanwhile is not forgotten.
  version bigint generated always as identity,
  constraint embedding_gap_pk primary key (workspace_id, memory_id, model)
);

create index embedding_gap_open on search.embedding_gap (model, workspace_id, memory_id) where not refused;

select core.protect_tenant_table('search.embedding_gap');

-- Which models a write needs vectors of. Nobody changes that until the transaction ends; whoever wants to waits, and everybody
-- who comes after waits for him. Read after the lock was taken, so never older than that.
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

create function search.erase_workspace_gaps() returns trigger
  language plpgsql
  as $$
begin
  delete from search.embedding_gap where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_search_gaps
  after delete on core.workspace
  for each row execute function search.erase_workspace_gaps();
