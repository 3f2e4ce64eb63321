-- A backlog is counted in one step, however much waits.
-- Locks webhooks.delivery against writing while the index is built. To recover from a failure run it again: it is one transaction.

create index delivery_open on webhooks.delivery (workspace_id, round_started_at) include (status, webhook_id, attempts_made)
  where status <> 'SUCCEEDED';
