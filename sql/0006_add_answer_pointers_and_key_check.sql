-- An Idempotency-Key belongs to its caller, whichever of its workspaces a request works on, while the answer has to lie with the
-- data it shows. Where the two differ, a row of the caller's own workspace points to the other one.
-- Locks: core.idempotent_answer against everything for the time of one scan. Recovery: the file runs in one transaction; fix
-- the cause and start again.

alter table core.idempotent_answer
  -- Set in a row that only says where the answer lies; null in one that holds an answer or awaits it.
  add column answer_workspace_id uuid,
  drop constraint idempotent_answer_state,
  add constraint idempotent_answer_state check (
    case
      when answer_workspace_id is null then (owner is null) = (status is not null)
      else owner is null and status is null and body is null
    end
  );

-- What the first start derived from its ENCRYPTION_KEY, so that a start with another key is refused instead of making secrets
-- that the others cannot read. Says nothing about the key itself.
create table core.encryption_key_check (
  only_row boolean not null default true,
  digest text not null,
  created_at timestamptz not null default now(),
  constraint encryption_key_check_pk primary key (only_row),
  constraint encryption_key_check_one_row check (only_row)
);
