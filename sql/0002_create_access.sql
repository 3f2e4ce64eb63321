-- Accounts, console sessions, workspaces, API keys and request limits: the control plane. Only the owner of the schema reaches
-- it; the request role has no grant on any of these tables.
-- Nothing refers to core.workspace by a foreign key or listens to it by a trigger, so that tenant tables can lie on other nodes:
-- the end of a workspace is a job (plugins/workspaces), which removes its rows everywhere and then the row here.
-- core.api_key and core.api_key_workspace have a column workspace_id and are nevertheless no tenant tables.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table core.account (
  id uuid not null default gen_random_uuid(),
  email text not null,
  name text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint account_pk primary key (id),
  constraint account_email_unique unique (email),
  constraint account_email_lower_case check (email = lower(email))
);

-- The password of an account, as an scrypt hash. Better Auth calls this table "account" and an account a "user".
create table core.account_credential (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  provider_id text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint account_credential_pk primary key (id),
  constraint account_credential_provider_unique unique (provider_id, provider_account_id),
  constraint account_credential_account_fk foreign key (account_id) references core.account (id) on delete cascade
);

create index account_credential_account on core.account_credential (account_id);

create table core.account_session (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint account_session_pk primary key (id),
  constraint account_session_token_unique unique (token),
  constraint account_session_account_fk foreign key (account_id) references core.account (id) on delete cascade
);

create index account_session_account on core.account_session (account_id);
create index account_session_expiry on core.account_session (expires_at);

-- Better Auth insists on it; it stays empty as long as no mail is sent.
create table core.account_verification (
  id uuid not null default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint account_verification_pk primary key (id)
);

create index account_verification_identifier on core.account_verification (identifier);

-- Requests to the account endpoints by client address, counted over all servers.
create table core.account_rate_limit (
  id uuid not null default gen_random_uuid(),
  key text not null,
  count integer not null,
  last_request bigint not null,
  constraint account_rate_limit_pk primary key (id),
  constraint account_rate_limit_key_unique unique (key)
);

-- Every live workspace has one test twin, which is made and removed together with it.
create table core.workspace (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  plan text not null,
  settings jsonb not null default '{}',
  mode text not null default 'live',
  twin_of uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set when it is deleted: nobody reaches it from then on, and a job removes its rows of all tables and then this row.
  deleted_at timestamptz,
  constraint workspace_pk primary key (id),
  -- An account cannot be removed while it has workspaces: their rows in tenant tables would stay behind.
  constraint workspace_account_fk foreign key (account_id) references core.account (id),
  constraint workspace_twin_unique unique (twin_of),
  constraint workspace_mode_known check (mode in ('live', 'test')),
  constraint workspace_twin_is_test check ((mode = 'test') = (twin_of is not null)),
  constraint workspace_settings_object check (jsonb_typeof(settings) = 'object')
);

create index workspace_account on core.workspace (account_id, created_at, id) where twin_of is null;

-- A revoked or rotated key keeps its row, so that a bootstrap key left in the environment does not come back by itself.
create table core.api_key (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- The live workspace it belongs to, in test mode too; null once that was removed.
  workspace_id uuid,
  name text not null,
  prefix text not null,
  hash bytea not null,
  permissions text[] not null,
  -- Bootstrap keys may do whatever the loaded plugins know, also what plugins of later versions bring.
  all_permissions boolean not null default false,
  mode text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_key_pk primary key (id),
  constraint api_key_hash_unique unique (hash),
  constraint api_key_account_fk foreign key (account_id) references core.account (id) on delete cascade,
  constraint api_key_mode_known check (mode in ('live', 'test')),
  constraint api_key_hash_length check (octet_length(hash) = 32)
);

create index api_key_account on core.api_key (account_id, created_at, id) where revoked_at is null;
create index api_key_workspace_home on core.api_key (workspace_id);

-- Workspaces of the account that a key may use besides its own.
create table core.api_key_workspace (
  key_id uuid not null,
  workspace_id uuid not null,
  constraint api_key_workspace_pk primary key (key_id, workspace_id),
  constraint api_key_workspace_key_fk foreign key (key_id) references core.api_key (id) on delete cascade
);

create index api_key_workspace_granted on core.api_key_workspace (workspace_id);

-- The plugins that acknowledge the end of a workspace, since they keep something outside of tenant tables. A plugin stays
-- here while it is switched off, so that it acknowledges when it is back.
create table core.workspace_eraser (
  id text not null,
  constraint workspace_eraser_pk primary key (id)
);

-- Removed workspaces that a plugin of core.workspace_eraser has yet to acknowledge.
create table core.workspace_end (
  ended_workspace uuid not null,
  eraser text not null,
  ended_at timestamptz not null default now(),
  constraint workspace_end_pk primary key (eraser, ended_workspace)
);

-- Wrong passwords, wherever one is checked: by account and place, by account from anywhere (place `*`) and by place at any account
-- (subject `*`). A place is a key or an address.
create table core.password_attempt (
  -- An account's id, or a digest of an e-mail address that is no account's.
  subject text not null,
  place text not null,
  wrong integer not null,
  window_ends_at timestamptz not null,
  -- The latest turn that was given at an account under attack.
  next_at timestamptz,
  -- When the right password last came from the place.
  right_at timestamptz,
  constraint password_attempt_pk primary key (subject, place)
);

create index password_attempt_window on core.password_attempt (window_ends_at);

-- Requests of each caller in the current window, summed over all servers once a second.
-- The table is unlogged: after a crash every caller starts with a fresh window, which costs less than logging each counter.
create unlogged table core.rate_window (
  caller_id text not null,
  -- Number of the window: milliseconds since 1970 divided by the window's length.
  window_number bigint not null,
  consumed integer not null,
  updated_at timestamptz not null default now(),
  constraint rate_window_pk primary key (caller_id)
);
