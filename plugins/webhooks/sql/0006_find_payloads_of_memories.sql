-- A deletion finds the bodies that hold its memories' texts by their index: it read all bodies of a workspace before.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- Under row-level security an operator that is not leakproof (&&) never uses an index. A view runs with its owner's rights, and binds
-- itself to the transaction's workspace.
create view webhooks.own_payload as
  select workspace_id, id, memory_ids
  from webhooks.payload
  where workspace_id is not distinct from (select core.current_workspace());

grant select on webhooks.own_payload to mneme_app;
