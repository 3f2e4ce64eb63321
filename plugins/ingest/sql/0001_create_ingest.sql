-- Ingest jobs, the files they read, and the chunks that came of them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table ingest.job (
  workspace_id uuid not null,
  id uuid not null,
  -- The same for all versions of a document; also the session of its memories.
  document_id uuid not null,
  user_id text not null,
  categories text[] not null,
  -- As the caller asked: a format, or `URL`.
  format text not null,
  -- The file's name; null for a page.
  file_name text,
  -- The page's address; null for a file.
  source_url text,
  -- The format that the bytes turned out to have, and the encoding that their server named.
  content_format text,
  charset text,
  title text,
  size_bytes bigint,
  -- True when it takes the place of the document's older version.
  is_replacement boolean not null default false,
  status text not null,
  -- The next step: fetch, read, store, settle, swap.
  stage text not null,
  -- Null until the document is read to its end.
  chunks_total integer,
  -- Chunks that are stored and searchable, or that need not be.
  chunks_done integer not null default 0,
  memories_created integer not null default 0,
  memories_skipped integer not null default 0,
  -- Memories whose processing failed for good.
  memories_failed integer not null default 0,
  -- The reader that read it.
  read_by text,
  error_code text,
  error text,
  cancelled boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint job_pk primary key (workspace_id, id),
  constraint job_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  constraint job_stage_check check (stage in ('fetch', 'read', 'store', 'settle', 'swap', 'over'))
);

-- The list, newest first.
create index job_newest on ingest.job (workspace_id, created_at desc, id desc);
-- Finds those that ended long ago, to forget the ones without memories.
create index job_ended on ingest.job (workspace_id, updated_at) where status in ('COMPLETED', 'FAILED');
-- The older versions of a document.
create index job_of_document on ingest.job (workspace_id, document_id);

select core.protect_tenant_table('ingest.job');

-- Jobs that are under way, each an item of work. A row goes when its job ends.
create table ingest.work (
  workspace_id uuid not null,
  job_id uuid not null,
  constraint work_pk primary key (workspace_id, job_id)
);

select core.protect_tenant_table('ingest.work');
select core.make_work_table('ingest.work');

-- Files, in pieces of bounded size, until they are read.
create table ingest.piece (
  workspace_id uuid not null,
  job_id uuid not null,
  number integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint piece_pk primary key (workspace_id, job_id, number)
);

-- Finds pieces of uploads that were never completed.
create index piece_age on ingest.piece (workspace_id, created_at);

select core.protect_tenant_table('ingest.piece');

-- The chunks of a document in their order, and the memories that hold them.
create table ingest.chunk (
  workspace_id uuid not null,
  job_id uuid not null,
  -- Its place in the document, from 0.
  place integer not null,
  -- Null once a memory holds it.
  text text,
  -- SHA-256 of the text, by which a newer version of the document knows it again.
  text_hash bytea not null,
  -- Heading path, page, row and key path, as the memory's metadata has them.
  place_in_document jsonb not null,
  -- `waiting`: no memory yet; `kept`: a memory of an older version; `created`: made by this job; `skipped`: its text exists elsewhere.
  state text not null default 'waiting',
  memory_id uuid,
  -- Its memory is through processing.
  is_settled boolean not null default false,
  constraint chunk_pk primary key (workspace_id, job_id, place),
  constraint chunk_state_check check (state in ('waiting', 'kept', 'created', 'skipped'))
);

-- Memories that wait for their processing.
create index chunk_unsettled on ingest.chunk (workspace_id, job_id, place) where state = 'created' and not is_settled;
-- A memory that is deleted leaves its job.
create index chunk_of_memory on ingest.chunk (workspace_id, memory_id) where memory_id is not null;

select core.protect_tenant_table('ingest.chunk');
