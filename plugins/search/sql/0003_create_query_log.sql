-- The log of searches, and what feedback teaches: signals by query and memory, the vectors of the queries they were given for,
-- and each workspace's balance of relevance, recency and priority.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table search.query_log (
  workspace_id uuid not null,
  -- Version 7, so ascending ids are the order in time.
  id uuid not null,
  query text not null,
  query_hash text not null,
  mode text not null,
  user_id text,
  results integer not null,
  -- The score of the first result; null without one.
  best_score real,
  duration_ms real not null,
  -- The words of the query and their number: the deletion of a memory finds queries that hold its text by them.
  words tsvector not null,
  length integer not null,
  created_at timestamptz(3) not null,
  constraint query_log_pk primary key (workspace_id, id),
  constraint query_log_mode_check check (mode in ('hybrid', 'semantic', 'keyword'))
);

create index query_log_time on search.query_log (workspace_id, created_at);
create index query_log_length on search.query_log (workspace_id, length);
create index query_log_words on search.query_log using gin (words) with (fastupdate = off);
-- A signal names a search by its hash.
create index query_log_hash on search.query_log (workspace_id, query_hash, created_at);

select core.protect_tenant_table('search.query_log');

-- Counts how often each memory served, or did not, for a query. The query is known by its hash alone; an empty hash holds the signals
-- that named no query. The hash comes before the memory because searches look it up.
create table search.feedback (
  workspace_id uuid not null,
  query_hash text not null,
  memory_id uuid not null,
  positive integer not null,
  negative integer not null,
  neutral integer not null,
  last_signal text not null,
  last_signal_at timestamptz(3) not null,
  constraint feedback_pk primary key (workspace_id, query_hash, memory_id),
  constraint feedback_last_signal_check check (last_signal in ('POSITIVE', 'NEGATIVE', 'NEUTRAL'))
);

create index feedback_memory on search.feedback (workspace_id, memory_id);
create index feedback_time on search.feedback (workspace_id, last_signal_at);

select core.protect_tenant_table('search.feedback');

-- The vectors of queries with signals, so that a query in other words is recognised. "marks" is a digest of the numbers,
-- exclusions and negations that two such queries must have in common, which vectors hardly tell apart. The type of the vectors
-- is that of search.embedding, for the same reasons.
do $$
begin
  execute format(
    'create table search.feedback_query (
      workspace_id uuid not null,
      model smallint not null,
      last_signal_at timestamptz(3) not null,
      embedding %s not null,
      query_hash text not null,
      marks text not null,
      constraint feedback_query_pk primary key (workspace_id, query_hash)
    )',
    case when version() like '%emscripten%' then 'vector' else 'halfvec' end
  );
end
$$;

alter table search.feedback_query alter column embedding set storage plain;

create index feedback_query_time on search.feedback_query (workspace_id, model, last_signal_at desc);

select core.protect_tenant_table('search.feedback_query');

-- The balance by which a workspace ranks, and the result of its last fit. No row: the default, and nothing was fitted yet.
create table search.balance (
  workspace_id uuid not null,
  -- Null together: the default balance.
  recency double precision,
  priority double precision,
  fitted_at timestamptz(3),
  -- Signals that the fit read.
  signals integer,
  -- The share of held-out judged pairs in the right order, with the former balance and with this one.
  effect_before double precision,
  effect_after double precision,
  effect_queries integer,
  -- The last try to find a better one, whether it was kept or not. Signals since then are new.
  checked_at timestamptz(3),
  outcome text,
  -- Signals up to here are not learned from again: the moment of the last reset.
  learns_from timestamptz(3),
  -- A server works on it until then.
  claimed_until timestamptz(3),
  constraint balance_pk primary key (workspace_id),
  constraint balance_outcome_check check (outcome in ('KEPT', 'NOT_BETTER', 'TOO_FEW'))
);

select core.protect_tenant_table('search.balance');

-- Writes logged searches, each given as the text of a JSON object.
create function search.insert_searches(searches text[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into search.query_log (
      workspace_id, id, query, query_hash, mode, user_id, results, best_score, duration_ms, words, length, created_at
    )
    select
      given.workspace_id, given.id, given.query, given.query_hash, given.mode, given.user_id, given.results,
      given.best_score, given.duration_ms, given.words, given.length, given.created_at
    from unnest(searches) as search (content)
    cross join lateral jsonb_to_record(search.content::jsonb) as given (
      workspace_id uuid, id uuid, query text, query_hash text, mode text, user_id text, results integer,
      best_score real, duration_ms real, words tsvector, length integer, created_at timestamptz
    )
$$;

-- Writes logged searches and leaves out those whose data is refused, instead of failing the rest. Returns how many were refused.
create function search.keep_searches(searches text[]) returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  one text;
  refused integer := 0;
begin
  begin
    perform search.insert_searches(searches);
    return 0;
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    null;
  end;
  foreach one in array searches loop
    begin
      perform search.insert_searches(array[one]);
    exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
      refused := refused + 1;
    end;
  end loop;
  return refused;
end
$$;

-- Deletes the searches of the transaction's workspace that hold every word of one of these memories, which must still be
-- indexed, and the vectors of these searches. It compares words as typed (weight A), since stems are those of the text's
-- language, which a search need not be in. Memory by memory it uses the index of words and never reads the whole log; it runs
-- as the owner because row-level security would keep it from the index.
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
        from unnest(tsvector_to_array(ts_filter(document.words, '{a}'))) as word (lexeme)
      )::tsquery as all_words
    from search.document
    where document.workspace_id = workspace
      and document.memory_id = any(memory_ids)
      and document.length between 1 and longest
  loop
    with gone as (
      delete from search.query_log
      where query_log.workspace_id = workspace
        and query_log.words @@ forgotten.all_words
        and query_log.length >= forgotten.length
      returning query_log.query_hash
    )
    delete from search.feedback_query
    where feedback_query.workspace_id = workspace
      and feedback_query.query_hash in (select gone.query_hash from gone);
  end loop;
end
$$;

revoke execute on function search.forget_searches(uuid[]) from public;
grant execute on function search.forget_searches(uuid[]) to mneme_app;
