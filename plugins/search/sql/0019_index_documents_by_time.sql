-- Finds the memories of a time that a query names: of their event, or else of their creation.
-- Locks search.document against writing while the index is built, some seconds for a million memories; no row is rewritten. Recovery: the
-- file runs in one transaction; fix the cause and start again.

create index document_time on search.document (workspace_id, (coalesce(happened_at, created_at)), user_id);
