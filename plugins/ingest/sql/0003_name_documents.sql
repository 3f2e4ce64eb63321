-- across workspaces: a migration names the documents of all of them.
-- A newer version finds what it replaces by the name of its document, which a caller may give: files of several folders share one file name.
-- Locks: ingest.job while its rows are written. Recovery: the file runs in one transaction; fix the cause and start again.

-- Null for a file without a name, which nothing can replace.
alter table ingest.job add column document_name text;

update ingest.job
set document_name = coalesce(job.source_url, job.file_name);

-- A name may be longer than an index entry.
create index job_of_name on ingest.job (workspace_id, md5(document_name));
