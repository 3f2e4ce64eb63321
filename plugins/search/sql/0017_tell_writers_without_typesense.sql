-- A process without TYPESENSE_URL says again and again that it writes, so that the index is rebuilt after the last of them has ended and
-- not while one goes on. Collections are numbered by the time in milliseconds: after a restore no number is given a second time.
-- Control-plane table: search.typesense_index.
-- Locks: search.typesense_index, which has one row, while it is rewritten. Recovery: the file runs in one transaction; fix the cause and
-- start again.

alter table search.typesense_index
  -- When a process without TYPESENSE_URL was last heard of, or else the row was made.
  add column quiet_since timestamptz not null default now(),
  alter column generation type bigint;
