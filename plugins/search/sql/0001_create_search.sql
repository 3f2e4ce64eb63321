-- The search index: documents for words, vectors for meaning, document frequencies for BM25, and the log of searches.
-- Locks: nothing that exists before but core.workspace, for the trigger. Recovery: the file runs in one transaction; fix the
-- cause and start again.

create extension if not exists vector;

-- One row a memory that can be found, written in the memory's own transaction. It repeats the columns that filters and the
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
  -- Every lexeme begins with a code of the workspace, so that each workspace has posting lists of its own.
  words tsvector not null,
  constraint document_pk primary key (workspace_id, memory_id)
);

-- Without the pending list a search never has to scan what was written just before it.
create index document_words on search.document using gin (words) with (fastupdate = off);

-- Narrows candidates to a user, and finds where a session stands.
create index document_session on search.document (workspace_id, user_id, session_id, session_position);

select core.protect_tenant_table('search.document');

-- Under row-level security an operator that is not leakproof (@@) never uses an index. A view runs with its owner's rights,
-- so here the index is used, and the view itself binds the rows to the transaction's workspace. "is not distinct from" keeps
-- the planner from reading a whole workspace's index entries beside the few of a term.
create view search.own_document as
  select *
  from search.document
  where workspace_id is not distinct from (select core.current_workspace());

grant select on search.own_document to mneme_app;

-- The models that made vectors. Shared by all workspaces and free of content.
-- Control-plane table: search.model.
create table search.model (
  id smallint generated always as identity,
  model_id text not null,
  dimensions integer not null,
  constraint model_pk primary key (id),
  constraint model_unique unique (model_id, dimensions)
);

-- Vectors apart from documents: an exact scan reads them all and nothing else, so they repeat the filter columns, and they
-- stay in line, since fetching each from a second place would cost more than the comparison. The vector stands before the
-- texts, which would have to be stepped over in every row.
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

-- What writes change of the document frequencies, one row a document: appended, so that writers never wait for each other.
create table search.term_delta (
  workspace_id uuid not null,
  id bigint generated always as identity,
  sign smallint not null,
  length integer not null,
  words tsvector not null,
  constraint term_delta_pk primary key (workspace_id, id)
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

select core.protect_tenant_table('search.term_stat');

create table search.corpus_stat (
  workspace_id uuid not null,
  documents integer not null,
  total_length bigint not null,
  constraint corpus_stat_pk primary key (workspace_id)
);

select core.protect_tenant_table('search.corpus_stat');

create table search.query_log (
  workspace_id uuid not null,
  -- Version 7, so ascending ids are the order in time.
  id uuid not null,
  query text not null,
  query_hash text not null,
  mode text not null,
  user_id text,
  results integer not null,
  -- Of the first result; null without one.
  best_score real,
  duration_ms real not null,
  -- The words of the query and their number, by which a deleted memory's text is found in it.
  words tsvector not null,
  length integer not null,
  created_at timestamptz(3) not null,
  constraint query_log_pk primary key (workspace_id, id),
  constraint query_log_mode_check check (mode in ('hybrid', 'semantic', 'keyword'))
);

create index query_log_time on search.query_log (workspace_id, created_at);
create index query_log_length on search.query_log (workspace_id, length);
create index query_log_words on search.query_log using gin (words) with (fastupdate = off);

select core.protect_tenant_table('search.query_log');

-- Deletes the searches of the transaction's workspace that hold every word of one of these memories, which must still be
-- indexed. Memory by memory through the index of words, never by reading the whole log; it runs as the owner for the same
-- reason as the view above.
create function search.forget_searches(memory_ids uuid[]) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  workspace uuid := core.current_workspace();
  longest integer := (select max(query_log.length) from search.query_log where query_log.workspace_id = workspace);
  forgotten record;
begin
  for forgotten in
    select
      document.length,
      (
        select string_agg('''' || replace(replace(word.lexeme, '\', '\\'), '''', '''''') || '''', ' & ')
        from unnest(tsvector_to_array(document.words)) as word (lexeme)
      )::tsquery as all_words
    from search.document
    where document.workspace_id = workspace
      and document.memory_id = any(memory_ids)
      and document.length between 1 and longest
  loop
    delete from search.query_log
    where query_log.workspace_id = workspace
      and query_log.words @@ forgotten.all_words
      and query_log.length >= forgotten.length;
  end loop;
end
$$;

revoke execute on function search.forget_searches(uuid[]) from public;
grant execute on function search.forget_searches(uuid[]) to mneme_app;

-- A foreign key would lock the workspace's row on every write, so the rows go by trigger.
create function search.erase_workspace_records() returns trigger
  language plpgsql
  as $$
begin
  delete from search.document where workspace_id = old.id;
  delete from search.embedding where workspace_id = old.id;
  delete from search.term_delta where workspace_id = old.id;
  delete from search.term_stat where workspace_id = old.id;
  delete from search.corpus_stat where workspace_id = old.id;
  delete from search.query_log where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_search_records
  after delete on core.workspace
  for each row execute function search.erase_workspace_records();
