-- A deletion finds the pieces that tell of its memories by an index: it read all pieces of all files before.
-- Locks: exports.export_piece while the index is built. Recovery: the file runs in one transaction; fix the cause and start again.

create index export_piece_memory_ids on exports.export_piece using gin (memory_ids);

-- Under row-level security an operator that is not leakproof (&&) never uses an index. A view runs with its owner's rights, and binds
-- itself to the transaction's workspace.
create view exports.own_piece as
  select workspace_id, export_id, writing, number, memory_ids
  from exports.export_piece
  where workspace_id is not distinct from (select core.current_workspace());

grant select on exports.own_piece to mneme_app;
