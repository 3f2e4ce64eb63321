-- The state of a Typesense index and the changes it has yet to receive from search.document and search.embedding. Without
-- TYPESENSE_URL nothing is written here, except erased workspaces while an index exists.
-- Control-plane tables: search.typesense_index, search.typesense_erasure.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- One row per memory to send, written with the change itself. The sender reads the current state, so a row only says that
-- something changed.
create table search.typesense_queue (
  workspace_id uuid not null,
  memory_id uuid not null,
  -- New with each change, so that a send under way never confirms the change after it.
  version uuid not null default gen_random_uuid(),
  -- False when only a rebuild needs it: the collection that searches read is up to date.
  changed boolean not null default true,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- Until then one process sends it, so that no older state can overtake a newer one.
  claimed_until timestamptz,
  -- When the leader of a cluster acknowledged it; its followers may need a moment more.
  confirmed_at timestamptz,
  -- The message of Typesense, without any of its text.
  error text,
  constraint typesense_queue_pk primary key (workspace_id, memory_id)
);

create index typesense_queue_order on search.typesense_queue (run_at) where confirmed_at is null;
create index typesense_queue_waiting on search.typesense_queue (workspace_id) where changed;
create index typesense_queue_confirmed on search.typesense_queue (confirmed_at) where confirmed_at is not null;

select core.protect_tenant_table('search.typesense_queue');

-- The single row names the collection that is searched, and the one that is being filled to replace it.
create table search.typesense_index (
  name text not null,
  generation integer not null default 0,
  live text,
  live_schema integer,
  building text,
  building_schema integer,
  -- Everything up to here was queued for the collection that is being filled.
  cursor_workspace uuid,
  cursor_memory uuid,
  all_queued boolean not null default false,
  -- A server without TYPESENSE_URL started, and queues nothing of what it writes: the index has to be rebuilt.
  forsaken boolean not null default false,
  constraint typesense_index_pk primary key (name)
);

-- Workspaces that no longer exist and may still have documents in the index.
create table search.typesense_erasure (
  erased_workspace uuid not null,
  erased_at timestamptz not null default now(),
  run_at timestamptz not null default now(),
  constraint typesense_erasure_pk primary key (erased_workspace)
);
