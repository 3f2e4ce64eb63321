-- Keeps what a language model drew from a memory, so that a text that is told again, or filed under other categories, is not paid for twice.
-- From here on graph.restatement also holds texts that were told again word for word, without another memory: `absorbed_id` is then an id of
-- its own.
-- Locks graph.reading for a moment; no row is rewritten. To recover from a failure run it again: it is one transaction.

-- Null where no model read it, and once its text changes.
alter table graph.reading add column extraction jsonb;
