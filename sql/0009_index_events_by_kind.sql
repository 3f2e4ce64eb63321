-- Activity feeds filter by kind.
-- Locks: writes to core.event wait while the index is made. Recovery: the file runs in one transaction; fix the cause and start again.

create index event_kind on core.event (workspace_id, kind, id desc);
