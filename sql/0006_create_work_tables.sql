-- Tables whose rows are work: what core/jobs/leased-work.ts needs of them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Makes a tenant table a work table: each row is an item that processes claim for a while. Its columns:
-- `due_at`: when it may be claimed next; of a claimed item the end of its lease, so that nothing has to be done after a crash.
--   Null when there is nothing to do: it is done, or was given up, and then `error` says why.
-- `rank`: items of a lower rank go first.  `lease`: the claim that has it.  `attempts`: claims since it was last queued.
-- `version`: counts how often it was queued, so that a claim never settles what was queued after it.
create function core.make_work_table(work_table regclass) returns void
  language plpgsql
  as $$
declare
  name name := (select relname from pg_class where oid = work_table);
  due_workspaces text := (
    select format('%I.%I', relnamespace::regnamespace, relname || '_due_workspaces') from pg_class where oid = work_table
  );
begin
  if not (select relforcerowsecurity from pg_class where oid = work_table) then
    raise exception '% is no tenant table: call core.protect_tenant_table first', work_table;
  end if;
  if not exists (
    select
    from pg_index as i
    join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = work_table and i.indisprimary and a.attname = 'workspace_id'
  ) then
    raise exception 'the primary key of % does not begin with workspace_id', work_table;
  end if;
  execute format(
    'alter table %s
      add column due_at timestamptz default now(),
      add column rank smallint not null default 0,
      add column lease uuid,
      add column attempts integer not null default 0,
      add column version integer not null default 0,
      add column error text',
    work_table
  );
  execute format('create index %I on %s (workspace_id, rank, due_at) where due_at is not null', name || '_due', work_table);
  execute format('create index %I on %s (workspace_id) where lease is not null', name || '_leased', work_table);
  execute format(
    'create index %I on %s (workspace_id) where due_at is null and error is not null', name || '_given_up', work_table
  );
  -- Steps through the workspaces with queued items behind `after`, in the order of their ids, one step of the index each however
  -- many items they have, and tells which have one that is due at `moment`. Ends after `found_max` of those, or `looks_max` in all.
  -- A loop, since a distributed Postgres refuses recursive queries over all workspaces; a function of each table's own, since
  -- the plan of a fixed statement is made once.
  execute format(
    $function$
      create function %1$s(ranks smallint[], after uuid, moment timestamptz, found_max integer, looks_max integer)
        returns table (workspace uuid, is_due boolean)
        language plpgsql stable
        as $body$
      declare
        due_count integer := 0;
      begin
        workspace := after;
        for step in 1..looks_max loop
          select item.workspace_id, exists (
            select
            from %2$s as other
            -- Each rank is named, so that it is one step of the index.
            where other.workspace_id = item.workspace_id and other.rank = any (ranks) and other.due_at <= moment
          )
          into workspace, is_due
          from %2$s as item
          where item.workspace_id > workspace and item.due_at is not null
          order by item.workspace_id
          limit 1;
          exit when workspace is null;
          return next;
          due_count := due_count + is_due::integer;
          exit when due_count >= found_max;
        end loop;
      end
      $body$
    $function$,
    due_workspaces, work_table
  );
  execute format('revoke execute on function %s from public', due_workspaces);
end
$$;
