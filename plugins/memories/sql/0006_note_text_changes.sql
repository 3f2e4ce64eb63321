-- Notes when the text of a memory was changed last: changes of its priority or categories do not make it newly said.
-- Locks memories.memory for a moment; its rows are not rewritten. To recover from a failure run it again: it is one transaction.

-- Null where the text is that of the creation.
alter table memories.memory add column text_changed_at timestamptz(3);
