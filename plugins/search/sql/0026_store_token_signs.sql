-- The signs of the vectors of each token of a text, or of its beginning: a bit a dimension. A search compares its own tokens with those of the best candidates.
-- Locks: search.embedding for a moment. Recovery: the file runs in one transaction; fix the cause and start again. Memories stored before have none until
-- `bun run server memories reprocess` reads them again; they rank by the other signals.

-- across workspaces: the key leads from each row to its vector.
create table search.token_signs (
  workspace_id uuid not null,
  memory_id uuid not null,
  model smallint not null,
  signs bytea not null,
  constraint token_signs_pk primary key (workspace_id, memory_id, model),
  constraint token_signs_of_embedding foreign key (workspace_id, memory_id, model)
    references search.embedding (workspace_id, memory_id, model) on delete cascade
);

-- Signs look like noise, and an attempt to compress them is in vain.
alter table search.token_signs alter column signs set storage external;

select core.protect_tenant_table('search.token_signs');
