-- An import says how many of its memories could not be processed.
-- Locks: exports.import for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

alter table exports.import
  -- Counts memories whose processing failed for good: they are found by words only.
  add column unprocessed integer not null default 0;
