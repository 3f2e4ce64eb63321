-- across workspaces: a migration rewrites the figures of all of them.
-- Figures are kept by the day with their hours inside, so that a year is 365 rows in any time zone; requests, tokens and all kinds of
-- activity join them, and the queries of longer spans stand beside those of days. Days that were rolled up before keep their figures,
-- which the logs may no longer have; what is missing of them is added from the logs.
-- Locks: the tables of the dashboard while days are made from hours. Recovery: the file runs in one transaction; fix the cause and start
-- again.

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

insert into dashboard.day (
  workspace_id, metric, operation, day, count, output, zero, scored, score_sum, count_by, zero_by, scored_by, score_sum_by
)
select
  running.workspace_id, running.metric, '', running.day, max(running.count), 0, max(running.zero), max(running.scored),
  max(running.score_sum), array_agg(running.count order by running.n), array_agg(running.zero order by running.n),
  array_agg(running.scored order by running.n), array_agg(running.score_sum order by running.n)
from (
  select
    known.workspace_id, known.metric, known.day, place.n,
    coalesce(sum(hour.count) over upto, 0) as count,
    coalesce(sum(hour.zero) over upto, 0)::integer as zero,
    coalesce(sum(hour.scored) over upto, 0)::integer as scored,
    coalesce(sum(hour.score_sum) over upto, 0) as score_sum
  from (
    select distinct hour.workspace_id, hour.metric, date_trunc('day', hour.hour, 'UTC') as day
    from dashboard.hour
  ) as known
  cross join generate_series(0, 23) as place (n)
  left join dashboard.hour
    on hour.workspace_id = known.workspace_id
    and hour.metric = known.metric
    and hour.hour = known.day + place.n * interval '1 hour'
  window upto as (partition by known.workspace_id, known.metric, known.day order by place.n)
) as running
group by running.workspace_id, running.metric, running.day;

drop table dashboard.hour;

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

-- Days before it keep what they hold.
alter table dashboard.progress add column kept_to timestamptz;

update dashboard.progress
set
  kept_to = date_trunc('day', progress.rolled_to - interval '2 hours', 'UTC'),
  rolled_to = date_trunc('day', now() - interval '800 days', 'UTC');
