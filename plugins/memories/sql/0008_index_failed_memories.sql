-- Finds memories whose processing failed, of one workspace to process them again, and of all to count them. The index holds nothing else.
-- Locks memories.memory against writing while the index is built; no row is rewritten. To recover from a failure run it again: it is one
-- transaction.

create index memory_failed on memories.memory (workspace_id, id) where live and status = 'FAILED';
