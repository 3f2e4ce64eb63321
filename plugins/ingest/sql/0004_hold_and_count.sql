-- A replacement tells how many memories it deleted, a document that outgrew the memory beside others is read alone, and a deletion of a
-- document's memories in parts is not overtaken by a newer version.
-- Locks: ingest.job for an instant, as the columns have constant defaults. Recovery: the file runs in one transaction; fix the cause and start
-- again.

-- Memories of older versions that it deleted.
alter table ingest.job add column memories_removed integer not null default 0;
-- Read again without another document beside it in the process.
alter table ingest.job add column reads_alone boolean not null default false;
-- Newer versions wait for this instant: the memories are being deleted.
alter table ingest.job add column held_until timestamptz(3);
