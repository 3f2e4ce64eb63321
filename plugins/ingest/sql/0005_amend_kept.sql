-- Memories that a newer version of a document keeps learn their place in it, page by page.
-- Locks: ingest.chunk while the index, which is empty, is made. Recovery: the file runs in one transaction; fix the cause and start again.

-- The older version's job that a kept memory is from, until the memory has the new version's categories and place.
alter table ingest.chunk add column kept_from uuid;

create index chunk_kept on ingest.chunk (workspace_id, job_id, place) where kept_from is not null;
