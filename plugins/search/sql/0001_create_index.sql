-- The search index: documents for words, vectors for meaning, and document frequencies for BM25.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create extension if not exists vector;

-- One row per memory that can be found, written in the memory's own transaction. It repeats the columns that filters and the
-- ranking need, so that a search reads this schema alone.
create table search.document (
  workspace_id uuid not null,
  memory_id uuid not null,
  user_id text not null,
  agent_id text,
  session_id text,
  -- Counts the memories of a session in the order they came; a memory's neighbours are those next to it.
  session_position integer,
  priority text not null,
  categories text[] not null,
  metadata jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  -- Positions of the text: the document length of BM25.
  length integer not null,
  -- The primary tag of the stemmer's language; "und" where each word had the stemmer of its script.
  language text,
  -- Features of the text for the ranker, beside its words: when the event it reports happened, who speaks, and whether it asks.
  happened_at timestamptz(3),
  speaker text,
  asking real not null default 0,
  -- Bits: 1 ends with a question, 2 tells a time, 4 tells a quantity, 8 tells a name.
  traits smallint not null default 0,
  -- Every lexeme begins with a code of the workspace, so that each workspace has posting lists of its own.
  words tsvector not null,
  constraint document_pk primary key (workspace_id, memory_id)
);

-- Without the pending list a search never has to scan what was written just before it.
create index document_words on search.document using gin (words) with (fastupdate = off);

-- Narrows candidates to a user, and finds a session's last position.
create index document_session on search.document (workspace_id, user_id, session_id, session_position);

-- Only transcripts have speakers. The order of bytes keeps names with a common beginning together.
create index document_speaker on search.document (workspace_id, speaker collate "C") where speaker is not null;

select core.protect_tenant_table('search.document');

-- Under row-level security an operator that is not leakproof (@@) never uses an index. A view runs with its owner's rights,
-- so here the index is used, and the view itself binds the rows to the transaction's workspace. "is not distinct from" keeps
-- the planner from reading a whole workspace's index entries beside the few of a term.
create view search.own_document as
  select
    workspace_id, memory_id, user_id, agent_id, session_id, session_position, priority, categories, metadata, created_at,
    expires_at, length, words
  from search.document
  where workspace_id is not distinct from (select core.current_workspace());

grant select on search.own_document to mneme_app;

-- Tells which words of a query name speakers of the workspace's texts, by one index probe per word. It is a view for the same
-- reason: comparisons of texts are not leakproof either.
create view search.own_speaker as
  select workspace_id, speaker collate "C" as speaker
  from search.document
  where workspace_id = (select core.current_workspace())
    and speaker is not null;

grant select on search.own_speaker to mneme_app;

-- Vectors lie apart from documents: an exact scan reads all of them and nothing else, so they repeat the filter columns and are
-- stored in line, since fetching each from a TOAST table would cost more than the comparison. The vector stands before the
-- texts, which would otherwise have to be stepped over in every row.
-- Half precision takes half the memory and is faster on a native server; in WebAssembly it is emulated and takes twice as long.
do $$
begin
  execute format(
    'create table search.embedding (
      workspace_id uuid not null,
      memory_id uuid not null,
      model smallint not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      embedding %s not null,
      user_id text not null,
      agent_id text,
      session_id text,
      priority text not null,
      categories text[] not null,
      constraint embedding_pk primary key (workspace_id, memory_id, model)
    )',
    case when version() like '%emscripten%' then 'vector' else 'halfvec' end
  );
end
$$;

alter table search.embedding alter column embedding set storage plain;

create index embedding_user on search.embedding (workspace_id, user_id);

select core.protect_tenant_table('search.embedding');

-- Changes of the document frequencies, one row per written document: they are appended, so that writers never wait for each other.
create table search.term_delta (
  workspace_id uuid not null,
  -- Folds follow this order: no document leaves the frequencies before it was counted. A sequence would do that too, but every
  -- node of a distributed Postgres has its own.
  written_at timestamptz not null default clock_timestamp(),
  id uuid not null default gen_random_uuid(),
  sign smallint not null,
  length integer not null,
  words tsvector not null,
  constraint term_delta_pk primary key (workspace_id, written_at, id)
);

select core.protect_tenant_table('search.term_delta');

-- In how many documents of the workspace a lexeme occurs, as of the last fold of the deltas.
create table search.term_stat (
  workspace_id uuid not null,
  lexeme text not null,
  documents integer not null,
  constraint term_stat_pk primary key (workspace_id, lexeme)
)
with (fillfactor = 80);

-- Finds words with a given beginning, for queries with typing errors. The primary key is ordered by the language of the
-- database, which does not keep them together.
create index term_stat_beginning on search.term_stat (workspace_id, lexeme collate "C");

select core.protect_tenant_table('search.term_stat');

create table search.corpus_stat (
  workspace_id uuid not null,
  documents integer not null,
  total_length bigint not null,
  constraint corpus_stat_pk primary key (workspace_id)
);

select core.protect_tenant_table('search.corpus_stat');

-- The language setting under which all texts of the workspace were last indexed. No row, or null: each text has its own language.
create table search.workspace_language (
  workspace_id uuid not null,
  language text,
  constraint workspace_language_pk primary key (workspace_id)
);

select core.protect_tenant_table('search.workspace_language');
