-- A job waits for memories that it kept, too, once they have its categories and are processed again.
-- Locks: ingest.chunk while the index is made. Recovery: the file runs in one transaction; fix the cause and start again.

drop index ingest.chunk_unsettled;

create index chunk_unsettled on ingest.chunk (workspace_id, job_id, place)
  where state in ('created', 'kept') and not is_settled and kept_from is null;
