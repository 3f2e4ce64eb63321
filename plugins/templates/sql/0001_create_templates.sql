-- Templates of memories.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table templates.template (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  -- [{name, required, default}]
  variables jsonb not null,
  -- [{memory, categories, priority, metadata, layer}], in the order in which they are stored.
  memories jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint template_pk primary key (workspace_id, id)
);

-- Lists show the newest first.
create index template_newest on templates.template (workspace_id, created_at, id);

select core.protect_tenant_table('templates.template');
