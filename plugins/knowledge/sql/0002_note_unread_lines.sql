-- Notes which lines of a document nobody has read yet: an edit that does not say which version it is of cannot mean to take them out.
-- Locks knowledge.entry for a moment; no row is rewritten. To recover from a failure run it again: it is one transaction.

-- Hashes of the lines that were compiled since the content was last read.
alter table knowledge.entry add column unread text[] not null default '{}';
