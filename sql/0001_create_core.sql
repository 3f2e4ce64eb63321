-- The role of the request path, the protection of tenant tables, and the keys that values are sealed under. Every later file needs it.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Roles belong to the cluster, so another database of it may have made this one already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'mneme_app') then
    create role mneme_app nologin nobypassrls;
  end if;
exception
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  execute format('grant mneme_app to %I', current_user);
exception
  when others then
    if not pg_has_role(current_user, 'mneme_app', 'member') then raise; end if;
end
$$;

grant usage on schema core to mneme_app;

-- The workspace of the running transaction, or null outside of one. The planner inlines it into the policies below. Where a
-- statement names its workspace too, the policy becomes a filter that is evaluated once per statement; where a statement
-- forgets it, the filter is evaluated per row and still holds.
create function core.current_workspace() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('mneme.workspace_id', true), '')::uuid $$;

grant execute on function core.current_workspace() to mneme_app;

-- Makes a table a tenant table: row-level security is forced, the request role sees the rows of the transaction's workspace
-- only, and the owner (boot, sweeps, control plane) sees all. Policies hold no subquery: Citus distributes no table that has one.
create function core.protect_tenant_table(tenant_table regclass) returns void
  language plpgsql
  as $$
declare
  schema_name name := (select relnamespace::regnamespace from pg_class where oid = tenant_table);
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy tenant on %s to mneme_app using (workspace_id = core.current_workspace()) with check (workspace_id = core.current_workspace())',
    tenant_table
  );
  execute format('create policy owner on %s to %I using (true) with check (true)', tenant_table, current_user);
  execute format('grant usage on schema %I to mneme_app', schema_name);
  execute format('grant select, insert, update, delete on %s to mneme_app', tenant_table);
end
$$;

-- The workspaces that have rows in a tenant table, by their order and after `after` (null: from the first), `most` at the most. Each
-- costs one look into the primary key, whatever the number of its rows; a recursive query could do the same, but a distributed
-- Postgres refuses one that names no workspace. For sweeps of the owner: the request role sees no workspace but its own.
create function core.workspaces_in(tenant_table regclass, after uuid, most integer) returns setof uuid
  language plpgsql
  stable
  as $$
declare
  workspace uuid := coalesce(after, '00000000-0000-0000-0000-000000000000');
begin
  for step in 1..most loop
    execute format('select workspace_id from %s where workspace_id > $1 order by workspace_id limit 1', tenant_table)
      into workspace using workspace;
    exit when workspace is null;
    return next workspace;
  end loop;
end
$$;

revoke execute on function core.workspaces_in(regclass, uuid, integer) from public;

-- The keys that values may be sealed under, by digests that disclose nothing of them. A start that does not have all of them is refused
-- before it writes secrets that others cannot read; a key leaves when everything was sealed anew under another.
-- Control-plane table: core.encryption_key.
create table core.encryption_key (
  id text not null,
  digest text not null,
  created_at timestamptz not null default now(),
  constraint encryption_key_pk primary key (id)
);
