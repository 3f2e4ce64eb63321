-- Finds absorbed memories by their text: a repeated request must know what it stored before, though its text is free again.
-- Locks memories.memory against writing while the index is built; no row is rewritten. To recover from a failure run it again: it is one
-- transaction.

create index memory_absorbed_content on memories.memory (workspace_id, content_hash) where consolidated_into is not null;
