-- A backlog is counted in one step, however much waits, and tells since when the oldest does and what cannot be compiled.
-- Locks knowledge.change for a moment; it has the rows that wait alone. To recover from a failure run it again: it is one transaction.

alter table knowledge.change
  -- When it was first marked. The other time is renewed when it is queued again.
  add column waiting_since timestamptz(3) not null default now(),
  -- Every attempt to compile it failed. It is tried again all the same.
  add column failed boolean not null default false;

create index change_open on knowledge.change (workspace_id, waiting_since) include (failed);
