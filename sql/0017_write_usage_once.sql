-- A flush of usage counters whose commit is not answered is done again, with the same id: it counts once.
-- Control-plane tables: core.usage_batch.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Batches that may be written again. A process forgets one as soon as it knows that it is written, so there is about a row for each process.
create table core.usage_batch (
  id uuid not null,
  written_at timestamptz not null default now(),
  constraint usage_batch_pk primary key (id)
);
