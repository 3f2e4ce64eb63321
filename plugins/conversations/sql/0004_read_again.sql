-- Notes what was read without the language model because it was away: such a conversation keeps its messages, and is read again.
-- Locks conversations.conversation and conversations.result for a moment; their rows are not rewritten. To recover from a failure run it
-- again: it is one transaction.

-- The first turn that was read without the model; null where there is none.
alter table conversations.conversation add column provisional_turn integer;
-- The turn after the last one that was read without it.
alter table conversations.conversation add column provisional_end integer;
-- When the turns between them are to be read again; null while the conversation is being read.
alter table conversations.conversation add column again_at timestamptz(3);
-- It is being read again, up to this turn: for its users it stays COMPLETED. Else null.
alter table conversations.conversation add column again_end integer;

-- The memory's revision when it was noted: what was edited since is not read again.
alter table conversations.result add column revision integer not null default 1;

-- A sweep across workspaces finds those to read again. The index holds nothing else.
create index conversation_to_read_again on conversations.conversation (again_at) where again_at is not null;
