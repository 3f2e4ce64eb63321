-- Keeps the JSON Schema by which a workspace wants the profiles of its users.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table knowledge.profile_schema (
  workspace_id uuid not null,
  -- As it was sent.
  schema json not null,
  updated_at timestamptz(3) not null,
  constraint profile_schema_pk primary key (workspace_id)
);

select core.protect_tenant_table('knowledge.profile_schema');
