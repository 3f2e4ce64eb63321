-- A backlog is counted in one step, however much waits.
-- Locks exports.export and exports.import against writing while the indexes are built. To recover from a failure run it again: it is one
-- transaction.

create index export_open on exports.export (workspace_id, created_at) include (status) where status <> 'COMPLETED';

create index import_open on exports.import (workspace_id, created_at) include (status)
  where status in ('PENDING', 'PROCESSING', 'FAILED');
