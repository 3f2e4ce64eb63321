-- Finds the statements of users that hold for every conversation with them. Further bits of `traits`: 16 the user's name, 32 an instruction to the assistant,
-- 64 what the user cannot have or do.
-- Locks search.document against writing while the index is built, which is empty at first. Recovery: the file runs in one transaction; fix the cause
-- and start again. Texts stored before have none of these bits until they are changed or indexed again.

create index document_standing on search.document (workspace_id, user_id) where traits & 112::smallint <> 0;
