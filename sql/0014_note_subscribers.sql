-- The subscribers that processes have: deliveries to one that no process has any more are deleted after a while.
-- Control-plane tables: core.subscriber.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table core.subscriber (
  -- The task of its deliveries.
  task text not null,
  -- When a process last had it. Time in which no process ran is added.
  seen_at timestamptz not null default now(),
  constraint subscriber_pk primary key (task)
);
