-- Answers to POST requests that carried an Idempotency-Key, kept for 24 hours so that a repetition gets the same answer.
-- Locks: nothing that exists before but core.workspace, for the trigger. Recovery: the file runs in one transaction; fix the
-- cause and start again.

create table core.idempotent_answer (
  workspace_id uuid not null,
  -- The key or session that sent the request: two callers may use the same key for different requests.
  caller_id text not null,
  key text not null,
  fingerprint text not null,
  -- The run that works on the answer, and until when the others wait for it. Both are null once there is an answer.
  owner uuid,
  leased_until timestamptz,
  status smallint,
  headers jsonb,
  body text,
  -- Why a finished request has no body to replay: it was too large, it held a secret, or what it showed was deleted.
  omitted text,
  -- The ids the answer mentions, so that deleting what they name can find it.
  resource_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  constraint idempotent_answer_pk primary key (workspace_id, caller_id, key),
  constraint idempotent_answer_state check ((owner is null) = (status is not null)),
  constraint idempotent_answer_omitted check (omitted in ('TOO_LARGE', 'SECRET', 'ERASED'))
);

create index idempotent_answer_resource_ids on core.idempotent_answer using gin (resource_ids);
create index idempotent_answer_created_at on core.idempotent_answer (created_at);

select core.protect_tenant_table('core.idempotent_answer');

create function core.erase_workspace_answers() returns trigger
  language plpgsql
  as $$
begin
  delete from core.idempotent_answer where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_answers
  after delete on core.workspace
  for each row execute function core.erase_workspace_answers();
