-- Finds the next delivery of each subject of a webhook in one step, however many wait.
-- Locks: writes to webhooks.delivery wait while the table is read once. Recovery: the file runs in one transaction; fix the cause and
-- start again.

create index delivery_next_of_subject on webhooks.delivery (workspace_id, webhook_id, subject_id, created_at, id) where due_at is not null;
drop index webhooks.delivery_queued_of_subject;
