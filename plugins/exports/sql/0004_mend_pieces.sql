-- Pieces of an export that tell of a deleted memory are emptied and written again by themselves, not the whole file.
-- Locks: exports.export and exports.export_piece for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the
-- cause and start again.

alter table exports.export
  -- Grows with each run that writes; what an earlier one still does has no effect.
  add column run integer not null default 0,
  -- All memories are in the file: pieces that deletions emptied, the sections and the end may be missing.
  add column has_memories boolean not null default false,
  -- A memory of the file was deleted after its sections began to be read: they may still tell of it.
  add column is_outdated boolean not null default false;

alter table exports.export_piece
  -- The last memory of a piece of memories; null for other pieces.
  add column last_memory_id uuid,
  -- The number of memories in it.
  add column memories integer not null default 0,
  -- Its text was removed, because it told of a memory that is deleted.
  add column is_emptied boolean not null default false;
