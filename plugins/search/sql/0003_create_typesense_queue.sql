-- What keeps a Typesense index in step with search.document and search.embedding. Nothing is written here without TYPESENSE_URL,
-- but for the workspaces that go while an index exists.
-- Locks: nothing that exists before but core.workspace, for the trigger. Recovery: the file runs in one transaction; fix the
-- cause and start again.

-- One row a memory that is to be sent, written with the change itself. What is sent is read when it is sent, so a row only
-- says that something changed.
create table search.typesense_queue (
  workspace_id uuid not null,
  memory_id uuid not null,
  -- New with every change, so that a send under way never confirms the change after it.
  version bigint generated always as identity,
  -- False when only a rebuild wants it: the collection that searches read has it as it is.
  changed boolean not null default true,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- Until then one process sends it, so that no older state can overtake a newer one.
  claimed_until timestamptz,
  -- When the leader of a cluster had it; its followers may need a moment more.
  confirmed_at timestamptz,
  -- What Typesense said against it, without any of its text.
  error text,
  constraint typesense_queue_pk primary key (workspace_id, memory_id)
);

create index typesense_queue_order on search.typesense_queue (run_at) where confirmed_at is null;
create index typesense_queue_waiting on search.typesense_queue (workspace_id) where changed;
create index typesense_queue_confirmed on search.typesense_queue (confirmed_at) where confirmed_at is not null;

select core.protect_tenant_table('search.typesense_queue');

-- The one index there is: the collection that is searched, and the one that is being filled to take its place.
-- Control-plane table: search.typesense_index.
create table search.typesense_index (
  name text not null,
  generation integer not null default 0,
  live text,
  live_schema integer,
  building text,
  building_schema integer,
  -- Up to here everything was queued for the collection that is being filled.
  cursor_workspace uuid,
  cursor_memory uuid,
  all_queued boolean not null default false,
  -- A server without TYPESENSE_URL started: what it writes is not queued.
  forsaken boolean not null default false,
  constraint typesense_index_pk primary key (name)
);

-- Workspaces that are gone and may still stand in the index.
-- Control-plane table: search.typesense_erasure.
create table search.typesense_erasure (
  erased_workspace uuid not null,
  erased_at timestamptz not null default now(),
  run_at timestamptz not null default now(),
  constraint typesense_erasure_pk primary key (erased_workspace)
);

create function search.erase_workspace_index() returns trigger
  language plpgsql
  as $$
begin
  delete from search.typesense_queue where workspace_id = old.id;
  insert into search.typesense_erasure (erased_workspace)
  select old.id
  where exists (select from search.typesense_index)
  on conflict on constraint typesense_erasure_pk do nothing;
  return null;
end
$$;

create trigger erase_search_index
  after delete on core.workspace
  for each row execute function search.erase_workspace_index();
