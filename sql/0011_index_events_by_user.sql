-- Activity feeds filter by user and kind.
-- Locks: writes to core.event wait while the index is made. Recovery: the file runs in one transaction; fix the cause and start again.

create index event_user on core.event (workspace_id, user_id, kind, id desc) where user_id is not null;
