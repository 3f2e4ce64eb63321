-- A document that could be read only in part says so.
-- Locks: ingest.job for an instant, as the column has a constant default. Recovery: the file runs in one transaction; fix the cause and start
-- again.

-- Sentences that say what of the document is in no memory.
alter table ingest.job add column warnings text[] not null default '{}';
