-- A backlog is counted in one step, however much waits, and tells since when the oldest does.
-- Locks graph.reading against reading for a moment, and against writing while the index is built; no row is rewritten. To recover from a
-- failure run it again: it is one transaction.

-- When it was queued. Tries and leases move when it is due.
alter table graph.reading add column waiting_since timestamptz(3) not null default now();

create index reading_open on graph.reading (workspace_id, waiting_since) include (due_at)
  where (due_at is not null and extracted_by is null) or (due_at is null and error is not null);
