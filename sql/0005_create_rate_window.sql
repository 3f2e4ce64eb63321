-- Requests of each caller in the current window, summed over all servers once a second.
-- Unlogged: after a crash everybody starts with a fresh window, which is cheaper than writing counters twice.
-- Control-plane tables: core.rate_window.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create unlogged table core.rate_window (
  caller_id text not null,
  -- Number of the window: milliseconds since 1970 divided by the window's length.
  window_number bigint not null,
  consumed integer not null,
  updated_at timestamptz not null default now(),
  constraint rate_window_pk primary key (caller_id)
);
