-- Notes when a memory's text was said again: the memory that said so was merged into it.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table graph.restatement (
  workspace_id uuid not null,
  -- The one that lives on.
  memory_id uuid not null,
  absorbed_id uuid not null,
  -- When the absorbed one's text was stored.
  stated_at timestamptz(3) not null,
  constraint restatement_pk primary key (workspace_id, memory_id, absorbed_id),
  constraint restatement_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index restatement_absorbed on graph.restatement (workspace_id, absorbed_id);

select core.protect_tenant_table('graph.restatement');
