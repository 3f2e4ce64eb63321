-- A backlog is counted in one step, however much waits, and tells since when the oldest does.
-- Locks conversations.conversation against reading for a moment, and against writing while the index is built; no row is rewritten. To
-- recover from a failure run it again: it is one transaction.

-- When it was last queued. Progress is noted elsewhere, and renewed with each try.
alter table conversations.conversation add column waiting_since timestamptz(3) not null default now();

create index conversation_open on conversations.conversation (workspace_id, waiting_since) include (status) where status <> 'COMPLETED';
