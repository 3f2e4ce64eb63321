-- What merging near-duplicates needs to know, and to take back.
-- Locks: memories.memory while its index is made, during which writes of memories wait; the columns are added at once.
-- Recovery: the file runs in one transaction; fix the cause and start again.

alter table memories.memory
  -- SHA-256 of whose memory it is and of what its text says, equal for near-duplicates. Of the revision that was processed
  -- last; null when the text cannot be compared. Memories from before this column get theirs when they are next processed.
  add column likeness bytea,
  -- Was brought back after it had been absorbed: it is not absorbed again as long as its text stays.
  add column kept_apart boolean not null default false,
  -- What it had before it gained any from what it absorbed; null while it has gained nothing. Whoever sets the values
  -- themselves makes them its own.
  add column own_categories text[],
  add column own_priority text;

alter table memories.memory
  add constraint memory_own_priority_check check (own_priority in ('LOW', 'MEDIUM', 'HIGH'));

-- Near-duplicates are looked up, one entry of the index a memory.
create index memory_likeness on memories.memory (workspace_id, likeness) where live and likeness is not null;

alter table memories.history
  drop constraint history_event_check,
  add constraint history_event_check check (event in ('CREATED', 'UPDATED', 'CONSOLIDATED', 'RESTORED'));
