-- An export goes on where a run before stopped, so that no run and no snapshot is long.
-- Locks: exports.export for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

alter table exports.export
  -- The newest memory when the file was begun: later ones are left out. Null before that, and for a file without memories.
  add column up_to uuid,
  -- All memories up to this one are in the file; null: none is.
  add column written_to uuid;
