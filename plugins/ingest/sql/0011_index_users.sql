-- Finds the documents of a user, to erase them.
-- Locks: writes to ingest.job wait while the index is built. Recovery: the file runs in one transaction; fix the cause and start again.

create index job_of_user on ingest.job (workspace_id, user_id);
