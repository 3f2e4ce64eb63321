-- A search trusts a node of Typesense once it shows a marker. The owner's id tells this database its own collections.
-- Control-plane tables: search.typesense_marker, search.typesense_owner.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create sequence search.typesense_marker_seq;

-- A marker is written to Typesense after everything that was sent before its number was taken. A node that shows the highest one
-- that is due has all memories that are no longer queued.
create table search.typesense_marker (
  name text not null,
  seq bigint not null,
  -- Followers of a cluster get this long to catch up with their leader.
  due_at timestamptz not null,
  constraint typesense_marker_pk primary key (name, seq)
);

-- Uses the clock instead of the start of the transaction: a marker that became due before the statement counts.
create function search.typesense_marker_due(index_name text) returns bigint
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
  select coalesce(max(typesense_marker.seq), 0)
  from search.typesense_marker
  where typesense_marker.name = index_name
    and typesense_marker.due_at <= clock_timestamp()
$$;

revoke execute on function search.typesense_marker_due(text) from public;
grant execute on function search.typesense_marker_due(text) to mneme_app;

-- A single row. Collections carry this id, so that two databases never write to the same ones.
create table search.typesense_owner (
  id uuid not null default gen_random_uuid(),
  constraint typesense_owner_pk primary key (id)
);

insert into search.typesense_owner default values;
