-- Deliveries that waited longer than 24 hours for a paused webhook are not sent when it is resumed, however many they are.
-- Locks: webhooks.webhook for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

-- When it was last made active again.
alter table webhooks.webhook add column resumed_at timestamptz(3);
