-- Former versions of entries, so that one can be restored.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table knowledge.version (
  workspace_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  -- As the entry had them. The content is rendered from both.
  compiled jsonb not null,
  hand jsonb not null,
  -- The memories that it names: knowledge.source has them as the entry's, so that a deletion finds them here too.
  memory_ids uuid[] not null,
  created_at timestamptz(3) not null,
  constraint version_pk primary key (workspace_id, entry_id, version)
);

select core.protect_tenant_table('knowledge.version');
