-- Notes for each caller that may edit which lines of a document it has not read: what others read says nothing of what its edit is based on.
-- Locks knowledge.entry for a moment; no row is rewritten. To recover from a failure run it again: it is one transaction.

-- {"<caller>": {"at": <seconds since 1970>, "unread": [<hashes of the lines compiled since>]}}, of the callers that read it last.
alter table knowledge.entry add column readers jsonb not null default '{}';
