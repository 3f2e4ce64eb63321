-- The database's clock as it was last seen, by which a clock that was put back is noticed, also across restarts.
-- Control-plane tables: core.clock.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table core.clock (
  -- One row.
  id boolean not null default true,
  seen_at timestamptz not null,
  constraint clock_pk primary key (id),
  constraint clock_id_check check (id)
);

insert into core.clock (seen_at) values (clock_timestamp());
