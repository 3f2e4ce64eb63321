-- Failed deliveries of a webhook, newest or oldest first, without a look at all that succeeded.
-- Locks: writes to webhooks.delivery wait while the table is read once. Recovery: the file runs in one transaction; fix the cause and
-- start again.

create index delivery_failed_of_webhook on webhooks.delivery (workspace_id, webhook_id, payload_id) where status = 'FAILED';
