-- While a dispatcher looks for deliveries by itself, changes need no job that tells of them.
-- Locks: webhooks.webhook for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

alter table webhooks.webhook add column polled_until timestamptz(3);
