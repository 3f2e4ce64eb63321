-- Rows that a job for all workspaces could not do its work on. It skips them for a while and goes on with the others.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table core.quarantine (
  workspace_id uuid not null,
  -- The work that failed, as `<plugin>:<verb>`.
  sweep text not null,
  -- Tells items of one workspace apart; empty where the whole workspace is left out.
  row_id text not null,
  plugin text not null,
  error text not null,
  attempts integer not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  -- From then on the item is tried again.
  retry_at timestamptz not null,
  constraint quarantine_pk primary key (workspace_id, sweep, row_id)
);

create index quarantine_sweep on core.quarantine (sweep, workspace_id);

select core.protect_tenant_table('core.quarantine');
