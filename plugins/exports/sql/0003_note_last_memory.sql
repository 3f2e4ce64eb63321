-- The memory that an import stored last: lines with more of its history may follow.
-- Locks: exports.import for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

alter table exports.import add column last_memory_id uuid;
