-- Exports and imports of a workspace, and their files.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table exports.export (
  workspace_id uuid not null,
  id uuid not null,
  format text not null,
  -- Only memories of this user, and with one of these categories; null: all.
  user_id text,
  categories text[],
  -- Sections beside the memories.
  include text[] not null,
  status text not null,
  total integer,
  done integer not null default 0,
  size_bytes bigint,
  sha256 text,
  -- Grows with each time that the file is written; pieces of an earlier writing are nobody's.
  writing integer not null default 0,
  error text,
  -- Memories that were deleted while the file was being written.
  deleted uuid[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  constraint export_pk primary key (workspace_id, id),
  constraint export_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'))
);

create index export_newest on exports.export (workspace_id, created_at desc, id desc);

select core.protect_tenant_table('exports.export');

-- The file of an export, in pieces of bounded size.
create table exports.export_piece (
  workspace_id uuid not null,
  export_id uuid not null,
  writing integer not null,
  number integer not null,
  bytes bytea not null,
  -- The memories that the piece tells of, so that an export that tells of a deleted one is found.
  memory_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  constraint export_piece_pk primary key (workspace_id, export_id, writing, number)
);

create index export_piece_age on exports.export_piece (workspace_id, created_at);

select core.protect_tenant_table('exports.export_piece');

create table exports.import (
  workspace_id uuid not null,
  id uuid not null,
  -- Null until the beginning of the file was looked at.
  format text,
  -- The user of memories that name none.
  user_id text not null,
  file_name text,
  size_bytes bigint not null default 0,
  -- UPLOADING until the file is there whole; no endpoint shows it before.
  status text not null,
  position bigint not null default 0,
  -- Lines, or items of a document, that were read.
  lines integer not null default 0,
  created integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  restored integer not null default 0,
  -- The first lines that could not be read: [{line, message}]
  faults jsonb not null default '[]',
  error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint import_pk primary key (workspace_id, id),
  constraint import_status_check check (status in ('UPLOADING', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'))
);

create index import_newest on exports.import (workspace_id, created_at desc, id desc);

select core.protect_tenant_table('exports.import');

-- The file of an import, in pieces of 256 KB, until the import ends.
create table exports.import_piece (
  workspace_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint import_piece_pk primary key (workspace_id, import_id, number)
);

create index import_piece_age on exports.import_piece (workspace_id, created_at);

select core.protect_tenant_table('exports.import_piece');

-- Memories of an import whose processing is not known to be done.
create table exports.import_memory (
  workspace_id uuid not null,
  import_id uuid not null,
  memory_id uuid not null,
  constraint import_memory_pk primary key (workspace_id, import_id, memory_id)
);

select core.protect_tenant_table('exports.import_memory');
