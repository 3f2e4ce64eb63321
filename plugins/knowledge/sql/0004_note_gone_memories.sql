-- Notes which memories went that knowledge rested on: an edit of a text that was read before may name them. Only ids are noted, for some days.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table knowledge.gone_memory (
  workspace_id uuid not null,
  memory_id uuid not null,
  gone_at timestamptz(3) not null,
  constraint gone_memory_pk primary key (workspace_id, memory_id)
);

create index gone_memory_age on knowledge.gone_memory (workspace_id, gone_at);

select core.protect_tenant_table('knowledge.gone_memory');
