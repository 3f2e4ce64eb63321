-- An import counts the memories of its file that had expired apart from those that the workspace has already.
-- Locks: exports.import for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

alter table exports.import
  add column expired integer not null default 0;
