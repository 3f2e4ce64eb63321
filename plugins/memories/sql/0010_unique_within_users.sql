-- Lets a workspace hold the same text once for each user.
-- Locks memories.memory against reading and writing while the index is made again; no row is rewritten. To recover from a failure run it
-- again: it is one transaction.

-- The user within whom the text is unique; empty where it is unique within the workspace, as it is unless the workspace says otherwise.
alter table memories.memory add column unique_within text not null default '';

drop index memories.memory_content_unique;
create unique index memory_content_unique on memories.memory (workspace_id, content_hash, unique_within) where live;
