-- Deletions that a run has to know of are noted in a row each. They were an array of the export, which every deletion wrote anew and every
-- piece was compared with as a whole. Runs begin again with the new version, so notes of earlier ones are not taken over.
-- Locks: exports.export for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

create table exports.noted_deletion (
  workspace_id uuid not null,
  export_id uuid not null,
  -- The run of the export that was under way; no other has read the memory before it was deleted.
  run integer not null,
  memory_id uuid not null,
  constraint noted_deletion_pk primary key (workspace_id, export_id, run, memory_id)
);

select core.protect_tenant_table('exports.noted_deletion');

alter table exports.export drop column deleted;
