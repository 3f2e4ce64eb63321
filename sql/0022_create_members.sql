-- Accounts that may use a workspace of another account, invitations to it, and who did what.
-- Both tables are control plane, as core.api_key is: they have a column workspace_id and are no tenant tables.
-- Locks: core.event against reading for a moment; no row is rewritten. Recovery: the file runs in one transaction; fix the cause and start
-- again.

create table core.member (
  -- A live workspace; its role holds in the test twin as well. The account that a workspace belongs to owns it without a row here.
  workspace_id uuid not null,
  account_id uuid not null,
  role text not null,
  created_at timestamptz(3) not null default now(),
  constraint member_pk primary key (workspace_id, account_id),
  constraint member_account_fk foreign key (account_id) references core.account (id) on delete cascade,
  constraint member_role_check check (role in ('owner', 'admin', 'editor', 'viewer'))
);

create index member_account on core.member (account_id);

create table core.invitation (
  id uuid not null default gen_random_uuid(),
  workspace_id uuid not null,
  role text not null,
  -- Only the account with this address may accept; null: whoever has the link.
  email text,
  -- SHA-256 of what the link carries, which is shown once and stored nowhere.
  hash bytea not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  constraint invitation_pk primary key (id),
  constraint invitation_hash_unique unique (hash),
  constraint invitation_role_check check (role in ('owner', 'admin', 'editor', 'viewer'))
);

create index invitation_workspace on core.invitation (workspace_id, created_at);

-- The id of the key that sent the request, or of the account behind `session:`; null for what happens by itself. It is the setting of the
-- transaction, so that no publisher has to pass it on.
alter table core.event add column actor text default nullif(current_setting('mneme.actor', true), '');
