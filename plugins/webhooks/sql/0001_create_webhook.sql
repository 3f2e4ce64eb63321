-- Receivers of events, what is sent to them, and each delivery with its attempts.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table webhooks.webhook (
  workspace_id uuid not null,
  id uuid not null,
  url text not null,
  -- SHA-256 of the URL as it is requested: two spellings of one URL are one webhook, however long they are.
  url_hash bytea not null,
  -- Kinds of events, or '*' for all public ones.
  events text[] not null,
  description text,
  -- Without it no new deliveries are made, and those that wait go on waiting.
  active boolean not null default true,
  -- Sealed. The previous one signs along until then.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- Since when no attempt succeeded, and when that was told; null while attempts succeed.
  failing_since timestamptz(3),
  alerted_at timestamptz(3),
  last_success_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint webhook_pk primary key (workspace_id, id),
  constraint webhook_url_unique unique (workspace_id, url_hash)
);

select core.protect_tenant_table('webhooks.webhook');

-- The payload of an event, once for each event, whatever number of webhooks get it. The id is the event's, a UUID of version
-- 7.
create table webhooks.payload (
  workspace_id uuid not null,
  id uuid not null,
  -- The JSON text, whose UTF-8 bytes are signed and sent.
  body text not null,
  -- Memories whose text may stand in the body: their deletion takes it out.
  memory_ids uuid[],
  constraint payload_pk primary key (workspace_id, id)
);

-- Finds the bodies that hold a deleted memory's text.
create index payload_of_memory on webhooks.payload using gin (memory_ids) where memory_ids is not null;

select core.protect_tenant_table('webhooks.payload');

-- One for each event and webhook, the item of work of its attempts.
create table webhooks.delivery (
  workspace_id uuid not null,
  -- A UUID of version 7; receivers see it as the id of the message, in every attempt.
  id uuid not null,
  webhook_id uuid not null,
  payload_id uuid not null,
  event text not null,
  -- The subject of the event: deliveries of one subject to one webhook are sent one after the other.
  subject_id text,
  status text not null,
  -- Attempts of this round; a redelivery begins another one.
  attempts_made integer not null default 0,
  round_started_at timestamptz(3) not null,
  -- The outcome of the last attempt.
  response_code integer,
  response_body text,
  failure text,
  duration_ms integer,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint delivery_pk primary key (workspace_id, id),
  constraint delivery_once unique (workspace_id, webhook_id, payload_id),
  constraint delivery_status_check check (status in ('PENDING', 'SUCCEEDED', 'FAILED'))
);

select core.protect_tenant_table('webhooks.delivery');
select core.make_work_table('webhooks.delivery');

-- Claims go webhook by webhook, so that many deliveries of one do not stand before those of the others.
create index delivery_due_of_webhook on webhooks.delivery (workspace_id, webhook_id, rank, due_at) where due_at is not null;
-- Finds an earlier delivery of the same subject that is due or under way.
create index delivery_queued_of_subject on webhooks.delivery (workspace_id, webhook_id, subject_id) where due_at is not null;
