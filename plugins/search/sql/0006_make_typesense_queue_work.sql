-- Rows of the Typesense queue are claimed, retried and settled as leased work of the kernel.
-- Locks: search.typesense_queue while its columns change; what is queued is due at once. Recovery: the file runs in one
-- transaction; fix the cause and start again.

alter table search.typesense_queue
  drop column version,
  drop column attempts,
  drop column run_at,
  drop column claimed_until,
  drop column confirmed_at,
  drop column error,
  -- The leader of a cluster has stored it, and the row stays until its followers have it too.
  add column acknowledged boolean not null default false;

select core.make_work_table('search.typesense_queue');
