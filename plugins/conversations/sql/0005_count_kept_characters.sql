-- Notes how much is kept of what was said, so that what waits to be read has a bound.
-- Locks conversations.conversation for a moment, and reads it once for the index; its rows are not rewritten. To recover from a failure run
-- it again: it is one transaction.

-- Characters of its messages that are stored, and some for each of them; 0 once they are deleted, and of conversations from before this.
alter table conversations.conversation add column characters integer not null default 0;

create index conversation_kept on conversations.conversation (workspace_id) include (characters) where characters > 0;
