-- Roll-ups of events and searches. Everything here follows from the logs of other plugins and can be computed again from them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Up to where a workspace's logs are rolled up.
create table dashboard.progress (
  workspace_id uuid not null,
  rolled_to timestamptz not null,
  -- When alerts were last looked for.
  checked_at timestamptz,
  constraint progress_pk primary key (workspace_id)
);

select core.protect_tenant_table('dashboard.progress');

-- Figures of an hour: the number of events of a kind, or of searches.
create table dashboard.hour (
  workspace_id uuid not null,
  -- A kind of event, or `searches`.
  metric text not null,
  hour timestamptz not null,
  count integer not null,
  -- Counts searches: those without a result, those with one, and the sum of the scores of their first results.
  zero integer not null default 0,
  scored integer not null default 0,
  score_sum double precision not null default 0,
  constraint hour_pk primary key (workspace_id, metric, hour)
);

create index hour_age on dashboard.hour (workspace_id, hour);

select core.protect_tenant_table('dashboard.hour');

-- Figures of a query on a day (UTC), the most frequent ones. Queries are known by their hash alone: their text stays in the log of
-- searches, from where an erasure removes it.
create table dashboard.query_day (
  workspace_id uuid not null,
  day date not null,
  query_hash text not null,
  searches integer not null,
  zero integer not null,
  scored integer not null,
  score_sum double precision not null,
  constraint query_day_pk primary key (workspace_id, day, query_hash)
);

select core.protect_tenant_table('dashboard.query_day');

-- Memories created on a day (UTC), by category; an empty name counts those without one.
create table dashboard.category_day (
  workspace_id uuid not null,
  day date not null,
  category text not null,
  count integer not null,
  constraint category_day_pk primary key (workspace_id, day, category)
);

select core.protect_tenant_table('dashboard.category_day');

-- Alerts, each until what it tells of is over.
create table dashboard.alert (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  -- Its subject within its type: a quota, a webhook.
  subject text not null,
  severity text not null,
  title text not null,
  message text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  resolved_at timestamptz(3),
  constraint alert_pk primary key (workspace_id, id),
  constraint alert_severity_check check (severity in ('INFO', 'WARNING', 'CRITICAL'))
);

create unique index alert_open on dashboard.alert (workspace_id, type, subject) where resolved_at is null;
create index alert_newest on dashboard.alert (workspace_id, created_at desc, id desc);

select core.protect_tenant_table('dashboard.alert');
