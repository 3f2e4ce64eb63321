-- across workspaces: a migration is of all of them.
-- Days to which memories were added after they had been rolled up; the categories of these days are counted again.
-- Locks: nothing for longer than a moment. Recovery: the file runs in one transaction; fix the cause and start again.

-- Appended only, a row for each transaction and day, so that no writer of memories waits for the count, nor for another writer.
create table dashboard.past_day (
  workspace_id uuid not null,
  day date not null,
  id uuid not null default gen_random_uuid(),
  constraint past_day_pk primary key (workspace_id, day, id)
);

select core.protect_tenant_table('dashboard.past_day');

insert into dashboard.past_day (workspace_id, day)
select progress.workspace_id, noted.day::date
from dashboard.progress
cross join lateral generate_series(progress.recount_from, progress.rolled_to at time zone 'UTC', interval '1 day') as noted (day)
where progress.recount_from is not null;

-- Servers of the version before still write it; it can go with a later version.
comment on column dashboard.progress.recount_from is 'no longer read';
