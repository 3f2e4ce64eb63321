-- What other plugins make of every memory, and since when it may be missing: a plugin can be switched off for a while.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- One row a part, as it names itself; shared by all workspaces and free of content.
-- Control-plane table: memories.part.
create table memories.part (
  id text not null,
  -- The first and the last time that a process ran without it since all memories were looked through; null when none did.
  absent_from timestamptz,
  absent_at timestamptz,
  -- When the last complete pass over all memories began; null before the first.
  complete_as_of timestamptz,
  -- When the pass under way began; null when there is none.
  began_at timestamptz,
  -- Memories that lack the part are looked for first, then what the part has of memories that are gone.
  phase text not null default 'missing',
  -- Up to here everything was looked at.
  cursor_workspace uuid,
  cursor_memory uuid,
  -- The next pass begins no sooner, so that passes take a small share of the time however many memories there are.
  rest_until timestamptz,
  seen bigint not null default 0,
  made bigint not null default 0,
  dropped bigint not null default 0,
  failed bigint not null default 0,
  constraint part_pk primary key (id),
  constraint part_phase_check check (phase in ('missing', 'surplus'))
);
