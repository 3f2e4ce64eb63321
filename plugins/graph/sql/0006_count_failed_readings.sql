-- Readings that failed one after the other are counted apart from claims, which also count rounds that a model sat out.
-- Locks graph.reading for a moment; no row is rewritten. To recover from a failure run it again: it is one transaction.

alter table graph.reading add column failures smallint not null default 0;
