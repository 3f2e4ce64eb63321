-- Notes which compiled lines went since a document was last read: an edit that does not say which version it is of has them from there.
-- Locks knowledge.entry for a moment; no row is rewritten. To recover from a failure run it again: it is one transaction.

-- Hashes of what was shown of these lines. Each of entry.readers has its own, as "gone".
alter table knowledge.entry add column gone text[] not null default '{}';
