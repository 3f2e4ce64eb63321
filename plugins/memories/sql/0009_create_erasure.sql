-- Erasures of users, with their receipts, and all memories of a user, those that were absorbed or have expired included, by an index.
-- Locks: memories.memory against writing while the index is built; no row is rewritten. Recovery: the file runs in one transaction; fix
-- the cause and start again.

create table memories.erasure (
  workspace_id uuid not null,
  id uuid not null,
  -- The user, until the erasure has ended.
  user_id text,
  -- SHA-256 of the workspace's salt and the user's id, in hex: two erasures of one user have the same.
  digest text not null,
  status text not null default 'PENDING',
  -- It tells how far the erasure has come: null, `found`, `removed`.
  stage text,
  -- {table: rows}: what was found, and what came meanwhile.
  receipt jsonb not null default '{}',
  error text,
  -- All rows from before were removed then.
  removed_at timestamptz(3),
  -- When it last progressed. An erasure without progress for long is queued again.
  progress_at timestamptz(3) not null default clock_timestamp(),
  created_at timestamptz(3) not null default clock_timestamp(),
  completed_at timestamptz(3),
  constraint erasure_pk primary key (workspace_id, id),
  constraint erasure_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  constraint erasure_stage_check check (stage in ('found', 'removed')),
  constraint erasure_user_check check ((user_id is null) = (status = 'COMPLETED'))
);

-- Two requests for one user are one erasure.
create unique index erasure_under_way on memories.erasure (workspace_id, user_id) where user_id is not null;

-- Sweeps across workspaces find unfinished erasures. The index holds nothing else.
create index erasure_unfinished on memories.erasure (progress_at) where status in ('PENDING', 'PROCESSING');

select core.protect_tenant_table('memories.erasure');

-- One for each workspace in which anybody was erased: without it the digests could be found by trying ids.
create table memories.salt (
  workspace_id uuid not null,
  salt text not null,
  constraint salt_pk primary key (workspace_id)
);

select core.protect_tenant_table('memories.salt');

create index memory_of_user on memories.memory (workspace_id, user_id, id);
