-- across workspaces: a migration reads the bodies of all of them.
-- Bodies name their user in a column, so that an erasure finds them.
-- Locks: webhooks.payload while its rows are read and written and the index is built; writes to webhooks.delivery wait while its index is
-- built. Recovery: the file runs in one transaction; fix the cause and start again.

alter table webhooks.payload add column user_id text;

update webhooks.payload
set user_id = payload.body::jsonb #>> '{data,user_id}'
where payload.body like '%"user_id"%';

create index payload_of_user on webhooks.payload (workspace_id, user_id) where user_id is not null;

-- Finds what is told once, which keeps the id of the user no longer than its deliveries take.
create index delivery_told_once on webhooks.delivery (workspace_id, payload_id) where event = 'user.erased';
