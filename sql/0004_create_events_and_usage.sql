-- The outbox of events, and usage counters.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- The outbox: an event is written in the transaction of the change it reports. Subscribers' jobs refer to it by id, and the activity
-- feed reads it newest first by id, which is a UUID of version 7; by its id it is also purged.
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

select core.protect_tenant_table('core.event');

-- Usage of a workspace, one row a day (UTC). `input` counts tokens read, or requests; `output` counts tokens written.
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
