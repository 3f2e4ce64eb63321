-- Responses to POST requests with an Idempotency-Key, kept for 24 hours and replayed when the request is repeated.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- A key belongs to its caller, whichever of the caller's workspaces a request works on, while the response has to lie with the
-- data it shows. Where the two workspaces differ, a row in the caller's own workspace points to the other one.
create table core.idempotent_response (
  workspace_id uuid not null,
  -- The key or session that sent the request: two callers may use the same key for different requests.
  caller_id text not null,
  key text not null,
  fingerprint text not null,
  -- The request that works on the response, and the end of its lease. Both are null once there is a response.
  owner uuid,
  leased_until timestamptz,
  status smallint,
  headers jsonb,
  body text,
  -- The reason why no body is kept: it was too large, it held a secret, or the memory it showed was deleted.
  omitted text,
  -- Ids that the response mentions: deleting one of these resources finds the response by them.
  resource_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Set in a row that only points to the workspace in which the response lies; null where a response lies or is awaited.
  response_workspace_id uuid,
  constraint idempotent_response_pk primary key (workspace_id, caller_id, key),
  constraint idempotent_response_state check (
    case
      when response_workspace_id is null then (owner is null) = (status is not null)
      else owner is null and status is null and body is null
    end
  ),
  constraint idempotent_response_omitted check (omitted in ('TOO_LARGE', 'SECRET', 'ERASED'))
);

create index idempotent_response_resource_ids on core.idempotent_response using gin (resource_ids);
create index idempotent_response_created_at on core.idempotent_response (workspace_id, created_at);

select core.protect_tenant_table('core.idempotent_response');
