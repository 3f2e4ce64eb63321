-- A key may be bound to one user, and to one agent of it. A token is such a key that another key has made: it ends with that key, has no more
-- permissions and workspaces than that, and is not listed.
-- Locks: core.api_key for a moment, while three columns without a default are added. Recovery: the file runs in one transaction; fix the
-- cause and start again.

alter table core.api_key
  add column user_id text,
  add column agent_id text,
  add column parent_id uuid,
  add constraint api_key_agent_of_user check (agent_id is null or user_id is not null),
  add constraint api_key_token_is_bound check (parent_id is null or (user_id is not null and expires_at is not null)),
  add constraint api_key_parent_fk foreign key (parent_id) references core.api_key (id) on delete cascade;

create index api_key_subject on core.api_key (workspace_id, user_id) where user_id is not null;
create index api_key_token on core.api_key (parent_id) where parent_id is not null;
create index api_key_token_expiry on core.api_key (expires_at) where parent_id is not null;
