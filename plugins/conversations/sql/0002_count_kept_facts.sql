-- Counts the facts of the next turns that are kept already: a window with many facts is kept in several transactions.
-- Locks conversations.conversation for a moment; its rows are not rewritten. To recover from a failure run it again: it is one
-- transaction.

alter table conversations.conversation add column kept_facts integer not null default 0;
