-- Memories, their history, and which parts of memories other plugins still have to make.
-- Control-plane table: memories.part.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table memories.memory (
  workspace_id uuid not null,
  id uuid not null,
  text text not null,
  user_id text not null,
  agent_id text,
  session_id text,
  priority text not null,
  status text not null,
  categories text[] not null,
  metadata jsonb,
  layer text not null,
  expires_at timestamptz(3),
  source text not null,
  -- SHA-256 of the text after NFC and trimming; equal texts have equal hashes.
  content_hash bytea not null,
  -- False once it is marked as expired or consolidated into another: it leaves lists, and its text may be stored again.
  live boolean not null default true,
  consolidated_into uuid,
  -- Grows with each change of content, so that work on an older revision is recognised as stale.
  revision integer not null default 1,
  -- When processing last moved: queued, started or retried. A memory that has not moved for long is queued again.
  progress_at timestamptz(3) not null,
  error text,
  access_count bigint not null default 0,
  last_accessed_at timestamptz(3),
  feedback_positive integer not null default 0,
  feedback_negative integer not null default 0,
  feedback_neutral integer not null default 0,
  feedback_last_signal text,
  feedback_last_at timestamptz(3),
  -- SHA-256 of the user, the agent and the normalised statement, equal for near-duplicates. It belongs to the revision that was
  -- processed last; null where the text cannot be compared.
  likeness bytea,
  -- The memory was absorbed once and restored: it is not absorbed again as long as its text stays.
  kept_apart boolean not null default false,
  -- The values from before the memory gained any by absorbing another; null while it has gained nothing. An update that sets the
  -- values itself makes them the memory's own.
  own_categories text[],
  own_priority text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint memory_pk primary key (workspace_id, id),
  constraint memory_priority_check check (priority in ('LOW', 'MEDIUM', 'HIGH')),
  constraint memory_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  constraint memory_layer_check check (layer in ('TASK', 'RAW')),
  constraint memory_expiry_check check (layer = 'TASK' or expires_at is null),
  constraint memory_own_priority_check check (own_priority in ('LOW', 'MEDIUM', 'HIGH')),
  constraint memory_signal_check check (feedback_last_signal in ('POSITIVE', 'NEGATIVE', 'NEUTRAL'))
)
-- Access counts change often and touch no index: room on the page keeps them heap-only.
with (fillfactor = 90);

-- One live memory per text: decides duplicates under concurrency. It is also the cheapest way to count live memories.
create unique index memory_content_unique on memories.memory (workspace_id, content_hash) where live;

-- The plain list, newest first.
create index memory_newest on memories.memory (workspace_id, created_at desc, id desc) where live;

-- The same for one user. With the included columns, totals and the listing of users and agents read the index alone.
create index memory_newest_of_user on memories.memory (workspace_id, user_id, created_at desc, id desc)
  include (agent_id, expires_at) where live;

-- Sweeps across workspaces find expired memories, and those to purge.
create index memory_expiry on memories.memory (expires_at) where expires_at is not null;
-- Finds those of a workspace whose time of being told as expired is over.
create index memory_expiry_in_workspace on memories.memory (workspace_id, expires_at) where expires_at is not null;

-- Sweeps across workspaces find unprocessed memories. The index holds nothing else.
create index memory_unprocessed on memories.memory (progress_at) where status in ('PENDING', 'PROCESSING');

-- Consolidation looks up near-duplicates.
create index memory_likeness on memories.memory (workspace_id, likeness) where live and likeness is not null;

-- Deleting a survivor deletes the memories it absorbed.
create index memory_absorbed on memories.memory (workspace_id, consolidated_into) where consolidated_into is not null;

select core.protect_tenant_table('memories.memory');

create table memories.history (
  workspace_id uuid not null,
  memory_id uuid not null,
  -- Version 7, so ascending ids are the timeline.
  id uuid not null,
  event text not null,
  old_content text,
  new_content text not null,
  -- The memory's revision after the event.
  revision integer not null,
  -- The absorbed memory that brought the text in; null where the text is the memory's own.
  absorbed_id uuid,
  created_at timestamptz(3) not null,
  constraint history_pk primary key (workspace_id, memory_id, id),
  constraint history_event_check check (event in ('CREATED', 'UPDATED', 'CONSOLIDATED', 'RESTORED'))
);

-- Erasing an absorbed memory erases its text from the survivor's timeline too.
create index history_absorbed on memories.history (workspace_id, absorbed_id) where absorbed_id is not null;

select core.protect_tenant_table('memories.history');

-- Parts that other plugins make of every memory, and since when they may be missing: a plugin can be switched off for a while.
-- One row per part, shared by all workspaces and without content.
create table memories.part (
  id text not null,
  -- The first and the last time that a process ran without the plugin since the last complete pass; null when none did.
  absent_from timestamptz,
  absent_at timestamptz,
  -- When the last complete pass over all memories began; null before the first.
  complete_as_of timestamptz,
  -- When the pass under way began; null when there is none.
  began_at timestamptz,
  -- A pass first looks for memories without the part, then for parts of memories that no longer exist.
  phase text not null default 'missing',
  -- The pass has looked at everything up to here.
  cursor_workspace uuid,
  cursor_memory uuid,
  -- The next pass begins no sooner, so that passes take a small share of the time however many memories there are.
  rest_until timestamptz,
  seen bigint not null default 0,
  made bigint not null default 0,
  dropped bigint not null default 0,
  failed bigint not null default 0,
  constraint part_pk primary key (id),
  constraint part_phase_check check (phase in ('missing', 'surplus'))
);
