-- A backlog is counted in one step, however much waits.
-- Locks ingest.job against writing while the index is built. To recover from a failure run it again: it is one transaction.

create index job_open on ingest.job (workspace_id, created_at) include (status) where status <> 'COMPLETED';
