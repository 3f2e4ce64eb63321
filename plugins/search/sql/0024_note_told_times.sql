-- The days and spans that texts name, counted from the time of each memory: "last Friday" is the day that was meant.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again. Memories stored before have none until
-- `bun run server memories reprocess` reads them again.

-- across workspaces: the key leads from each row to its document.
create table search.told_time (
  workspace_id uuid not null,
  memory_id uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  constraint told_time_pk primary key (workspace_id, memory_id, starts_at, ends_at),
  constraint told_time_of_document foreign key (workspace_id, memory_id)
    references search.document (workspace_id, memory_id) on delete cascade
);

create index told_time_by_start on search.told_time (workspace_id, starts_at, memory_id);

select core.protect_tenant_table('search.told_time');
