-- A deletion finds the responses that mention what it deletes, and the requests that run, by indexes: it read all of a workspace before.
-- Locks: core.idempotent_response while the index is built. Recovery: the file runs in one transaction; fix the cause and start again.

create index idempotent_response_running on core.idempotent_response (workspace_id) where owner is not null;

-- Under row-level security an operator that is not leakproof (&&) never uses an index. A view runs with its owner's rights, and binds
-- itself to the transaction's workspace.
create view core.own_response as
  select workspace_id, caller_id, key, resource_ids
  from core.idempotent_response
  where workspace_id is not distinct from (select core.current_workspace());

grant select on core.own_response to mneme_app;
