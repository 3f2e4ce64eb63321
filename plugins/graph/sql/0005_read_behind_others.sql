-- Lets memories that were stored long ago be read behind those that come now, and tells whose facts nobody compiled.
-- Locks: graph.reading while its index is made, during which memories that are being processed wait. Recovery: the file runs in one
-- transaction; fix the cause and start again.

-- Never read, and stored while the graph was switched off: it goes behind what users wait for.
alter table graph.reading add column behind boolean not null default false;

drop index graph.reading_waiting;
create index reading_waiting on graph.reading (workspace_id, behind, due_at) where waiting;

-- Users whose facts changed since a listener said that it heard of it: one that is switched off finds here what it missed.
create table graph.changed_user (
  workspace_id uuid not null,
  user_id text not null,
  changed_at timestamptz(3) not null,
  constraint changed_user_pk primary key (workspace_id, user_id),
  constraint changed_user_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

select core.protect_tenant_table('graph.changed_user');

-- What was missed until now nobody knows.
insert into graph.changed_user (workspace_id, user_id, changed_at)
select distinct statement.workspace_id, statement.user_id, now()
from graph.statement;
