-- When a memory was said, where that is another time than that of its storing; it decides recency, order and the times that queries name.
-- Locks search.document against writing while memories with `said_at` are updated and two indexes are built, some seconds for a million
-- memories. Recovery: the file runs in one transaction; fix the cause and start again.

alter table search.document add column said_at timestamptz(3);

-- across workspaces: the rows of all of them are stored before
update search.document
set said_at = happened_at, happened_at = null
where metadata ? 'said_at'
  and happened_at < created_at;

drop index search.document_time;
create index document_time on search.document (workspace_id, (coalesce(said_at, created_at)), user_id);
create index document_event on search.document (workspace_id, happened_at, user_id) where happened_at is not null;

create or replace view search.own_document as
  select
    workspace_id, memory_id, user_id, agent_id, session_id, session_position, priority, categories, metadata, created_at,
    expires_at, length, words, said_at
  from search.document
  where workspace_id is not distinct from (select core.current_workspace());
