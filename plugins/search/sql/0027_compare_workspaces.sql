-- Statements compare the workspace of these rows by "=", which a distributed Postgres routes to its node.
-- Locks: the view for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

create or replace view search.own_document as
  select
    core.unindexed(workspace_id) as workspace_id, memory_id, user_id, agent_id, session_id, session_position, priority, categories, metadata,
    created_at, expires_at, length, words, said_at
  from search.document
  where workspace_id is not distinct from (select core.current_workspace());
