-- A new version that differs in more chunks than one transaction exchanges does so page by page, and can no longer be stopped once it began.
-- Locks: ingest.job while its rows are checked. Recovery: the file runs in one transaction; fix the cause and start again.

alter table ingest.job drop constraint job_stage_check;

alter table ingest.job
  add constraint job_stage_check
    check (stage in ('fetch', 'read', 'store', 'settle', 'swap', 'exchange', 'over'));
