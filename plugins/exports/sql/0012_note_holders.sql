-- An import remembers which memories hold the texts of those that it left out: what was merged into these comes later, and belongs to them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table exports.import_holder (
  workspace_id uuid not null,
  import_id uuid not null,
  -- A memory of the file that is not here, as another one has its text.
  memory_id uuid not null,
  -- The memory that has it.
  holder_id uuid not null,
  constraint import_holder_pk primary key (workspace_id, import_id, memory_id)
);

select core.protect_tenant_table('exports.import_holder');
