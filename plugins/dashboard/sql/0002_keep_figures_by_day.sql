-- across workspaces: a migration resets the progress of all of them.
-- Figures are kept by the day with their hours inside, so that a year is 365 rows in any time zone; requests and tokens join them, and the
-- most frequent queries of a month stand beside those of its days. All of it is rolled up again from the logs, as far as these go back.
-- Locks: the tables of the dashboard for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

drop table dashboard.hour;

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
  -- The same by hour, for zones whose days begin within this one: arrays of the hour and these figures in their order.
  hours jsonb not null,
  constraint day_pk primary key (workspace_id, metric, operation, day)
);

create index day_age on dashboard.day (workspace_id, day);

select core.protect_tenant_table('dashboard.day');

-- Figures of a query in a whole month (UTC), summed up from its days: the most frequent ones.
create table dashboard.query_month (
  workspace_id uuid not null,
  -- Its first day.
  month date not null,
  query_hash text not null,
  searches integer not null,
  zero integer not null,
  scored integer not null,
  score_sum double precision not null,
  constraint query_month_pk primary key (workspace_id, month, query_hash)
);

select core.protect_tenant_table('dashboard.query_month');

update dashboard.progress
set rolled_to = date_trunc('day', now() - interval '800 days', 'UTC');
