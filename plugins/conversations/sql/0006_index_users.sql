-- Finds the conversations of a user, to erase them.
-- Locks: writes to conversations.conversation wait while the index is built. Recovery: the file runs in one transaction; fix the cause and
-- start again.

create index conversation_of_user on conversations.conversation (workspace_id, user_id);
