-- An alert is raised before a delivery is lost, and tells when one was.
-- Locks webhooks.webhook for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

alter table webhooks.webhook
  -- Failed attempts since the last success; no more are counted than raise an alert.
  add column failures integer not null default 0,
  -- When a delivery was last given up since then.
  add column gave_up_at timestamptz(3);
