-- The next chunks of a document that wait for their memory are found without a look at those that have one.
-- Locks: writes to ingest.chunk wait while the table is read once. Recovery: the file runs in one transaction; fix the cause and start again.

create index chunk_waiting on ingest.chunk (workspace_id, job_id, place) where state = 'waiting';
