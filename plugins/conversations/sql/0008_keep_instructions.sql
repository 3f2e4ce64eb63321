-- Keeps what whoever submits a conversation says on what is to be kept of it, until it has been read.
-- Locks conversations.conversation for a moment; its rows are not rewritten. To recover from a failure run it again: it is one
-- transaction.

alter table conversations.conversation add column instructions text;
