-- Keeps what clients of another service tell of a user or a thread, which has no place among memories. Takes no lock that others wait for;
-- to start over, drop the schema bridges.
create table bridges.told (
  workspace_id uuid not null,
  kind text not null,
  id text not null,
  user_id text not null,
  details jsonb not null,
  created_at timestamptz not null default now(),
  constraint told_pk primary key (workspace_id, kind, id),
  constraint told_kind_known check (kind in ('user', 'thread'))
);

create index told_by_user on bridges.told (workspace_id, user_id, created_at);

select core.protect_tenant_table('bridges.told');
