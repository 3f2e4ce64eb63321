-- across workspaces: a migration drops chunks of the documents of all of them.
-- A memory that leaves a document is given to another one that skipped its text. Older versions of a document have no such chunks any more:
-- their texts are none of the document's.
-- Locks: the rows of ingest.chunk that go. Recovery: the file runs in one transaction; fix the cause and start again.

delete from ingest.chunk
using ingest.job
where job.workspace_id = chunk.workspace_id
  and job.id = chunk.job_id
  and chunk.state = 'skipped'
  and exists (
    select
    from ingest.job as newer
    where newer.workspace_id = job.workspace_id
      and newer.document_id = job.document_id
      and (newer.created_at, newer.id) > (job.created_at, job.id)
      and newer.is_replacement
      and (newer.stage = 'settle' or newer.status = 'COMPLETED' or newer.error_code = 'PROCESSING_FAILED')
  );
