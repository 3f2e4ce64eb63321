-- Applications that accounts have let into a workspace. Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the
-- cause and start again.
create table oauth.connection (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- The account that consented. No foreign key leaves a schema, so its role is looked up with each token.
  account_id uuid not null,
  -- SHA-256 in hex of the application's client id, which holds its name and addresses itself.
  client text not null,
  client_name text not null,
  redirect_uri text not null,
  permissions text[] not null,
  -- The application reads and writes only what is this user's; null: it is bound to nobody.
  user_id text,
  -- The address that its access tokens are for (RFC 8707).
  resource text not null,
  -- The challenge of PKCE by S256.
  challenge text not null,
  -- 0 until the code is redeemed; then the number of the refresh token that is good.
  generation integer not null default 0,
  rotated_at timestamptz,
  created_at timestamptz not null default now(),
  -- Without a use until then it is over.
  expires_at timestamptz not null,
  constraint connection_pk primary key (workspace_id, id)
);

create index connection_age on oauth.connection (workspace_id, expires_at);
create index connection_of_user on oauth.connection (workspace_id, user_id) where user_id is not null;

select core.protect_tenant_table('oauth.connection');
