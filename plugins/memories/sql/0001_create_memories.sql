-- Memories and their history.
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
  -- False once it is marked as expired or was consolidated into another: it then leaves lists and no longer blocks its text.
  live boolean not null default true,
  consolidated_into uuid,
  -- Grows with each change of content, so that work begun on an older one can be told apart.
  revision integer not null default 1,
  -- When processing last moved: queued, taken up, tried again. What has not moved for long is queued once more.
  progress_at timestamptz(3) not null,
  error text,
  access_count bigint not null default 0,
  last_accessed_at timestamptz(3),
  feedback_positive integer not null default 0,
  feedback_negative integer not null default 0,
  feedback_neutral integer not null default 0,
  feedback_last_signal text,
  feedback_last_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint memory_pk primary key (workspace_id, id),
  constraint memory_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade,
  constraint memory_priority_check check (priority in ('LOW', 'MEDIUM', 'HIGH')),
  constraint memory_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  constraint memory_layer_check check (layer in ('TASK', 'RAW')),
  constraint memory_expiry_check check (layer = 'TASK' or expires_at is null),
  constraint memory_signal_check check (feedback_last_signal in ('POSITIVE', 'NEGATIVE', 'NEUTRAL'))
)
-- Access counts change often and touch no index: room on the page keeps them heap-only.
with (fillfactor = 90);

-- One live memory a text: decides duplicates under concurrency. Also the cheapest way to count a workspace's live memories.
create unique index memory_content_unique on memories.memory (workspace_id, content_hash) where live;

-- The plain list, newest first.
create index memory_newest on memories.memory (workspace_id, created_at desc, id desc) where live;

-- The same for one user. With the included columns, totals and the listing of users and agents read the index alone.
create index memory_newest_of_user on memories.memory (workspace_id, user_id, created_at desc, id desc)
  include (agent_id, expires_at) where live;

-- Sweeps across workspaces: what has expired and what is due for purging.
create index memory_expiry on memories.memory (expires_at) where expires_at is not null;

-- Sweeps across workspaces: what waits for processing. Holds only what is under way.
create index memory_unprocessed on memories.memory (progress_at) where status in ('PENDING', 'PROCESSING');

-- Deleting a survivor takes along what it absorbed.
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
  -- The memory whose text an event brought in, when it was another's.
  absorbed_id uuid,
  created_at timestamptz(3) not null,
  constraint history_pk primary key (workspace_id, memory_id, id),
  constraint history_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade,
  constraint history_event_check check (event in ('CREATED', 'UPDATED', 'CONSOLIDATED'))
);

-- Erasing an absorbed memory erases its text from the survivor's timeline too.
create index history_absorbed on memories.history (workspace_id, absorbed_id) where absorbed_id is not null;

select core.protect_tenant_table('memories.history');
