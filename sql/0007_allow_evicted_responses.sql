-- A kept response whose room newer ones took: its key stays used, and its body is gone.
-- Locks: core.idempotent_response, for a look at each of its rows. Recovery: the file runs in one transaction; fix the cause and start again.

alter table core.idempotent_response drop constraint idempotent_response_omitted;
alter table core.idempotent_response
  add constraint idempotent_response_omitted check (omitted in ('TOO_LARGE', 'SECRET', 'ERASED', 'EVICTED'));
