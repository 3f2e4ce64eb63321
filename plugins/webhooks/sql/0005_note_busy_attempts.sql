-- A delivery that has no turn among others, each time it is its turn, ends with its 24 hours.
-- Locks: webhooks.delivery for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

-- When an attempt last had no turn, which counts as none.
alter table webhooks.delivery add column busy_at timestamptz(3);
