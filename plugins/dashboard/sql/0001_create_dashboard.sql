-- Roll-ups of events, searches, requests and tokens. Everything here follows from the logs of other plugins and can be computed again from them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Up to where a workspace's logs are rolled up.
create table dashboard.progress (
  workspace_id uuid not null,
  rolled_to timestamptz not null,
  -- Categories of days from this one on are counted again, because memories came that were created then; null for none.
  recount_from date,
  -- When alerts were last looked for.
  checked_at timestamptz,
  constraint progress_pk primary key (workspace_id)
);

select core.protect_tenant_table('dashboard.progress');

-- Figures of a day with its hours inside, so that a year is 365 rows in any time zone.
create table dashboard.day (
  workspace_id uuid not null,
  -- A kind of event, `searches`, `requests` or `tokens`.
  metric text not null,
  -- Tells what tokens were used for; empty for other metrics.
  operation text not null,
  -- Its first instant (UTC).
  day timestamptz not null,
  -- Counts events, searches, requests or tokens read.
  count bigint not null,
  -- Counts tokens written.
  output bigint not null,
  -- Counts searches: those without a result, those with one, and the sum of the scores of their first results.
  zero integer not null,
  scored integer not null,
  score_sum double precision not null,
  -- The same by hour, for periods that begin within the day: what had been counted by the end of each of its 24 hours (UTC). Null for
  -- figures that are 0.
  count_by bigint[],
  output_by bigint[],
  zero_by integer[],
  scored_by integer[],
  score_sum_by double precision[],
  constraint day_pk primary key (workspace_id, metric, operation, day)
);

create index day_age on dashboard.day (workspace_id, day);

select core.protect_tenant_table('dashboard.day');

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

-- Figures of a query in a month, or in a third of one (from its 1st, 11th or 21st day), summed up from its days (UTC).
create table dashboard.query_span (
  workspace_id uuid not null,
  -- `third` or `month`.
  size text not null,
  first_day date not null,
  query_hash text not null,
  searches integer not null,
  zero integer not null,
  scored integer not null,
  score_sum double precision not null,
  constraint query_span_pk primary key (workspace_id, size, first_day, query_hash)
);

select core.protect_tenant_table('dashboard.query_span');

-- Memories created on a day (UTC), by its largest categories; an empty name counts those without one, a blank those of all others.
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
