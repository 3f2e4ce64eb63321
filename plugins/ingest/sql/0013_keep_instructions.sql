-- Keeps what whoever submits a document says on what is to be noted of it.
-- Locks ingest.job for a moment; its rows are not rewritten. Recovery: the file runs in one transaction; fix the cause and start again.

alter table ingest.job add column instructions text;
