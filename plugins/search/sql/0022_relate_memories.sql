-- Which memories of a user are about the same thing, by the likeness of their vectors.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again. Memories stored before are
-- related as later ones come; `bun run server memories reprocess` relates all of them at once.

-- Both directions of a pair are rows, so that either memory leads to the other by the key.
create table search.likeness (
  workspace_id uuid not null,
  memory_id uuid not null,
  other_id uuid not null,
  cosine real not null,
  constraint likeness_pk primary key (workspace_id, memory_id, other_id)
);

select core.protect_tenant_table('search.likeness');
