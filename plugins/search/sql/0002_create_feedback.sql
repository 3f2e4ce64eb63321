-- Learning from feedback: signals by query and memory, the vectors of the queries they were given for, and each workspace's
-- balance of relevance, recency and priority.
-- Locks: search.query_log against writes while its index is made. Recovery: the file runs in one transaction; fix the cause and
-- start again.

-- How often each memory served, or did not, for a query. The query is known by its hash alone; an empty hash holds the signals
-- that named no query. The hash comes before the memory: a search asks by it.
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

-- The vectors of queries with signals, so that a query in other words is recognised. "marks" is a digest of what two queries
-- must have in common besides (numbers, exclusions, negations), which vectors hardly tell apart. The type of the vectors is
-- that of search.embedding, for the same reasons.
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

-- The balance a workspace ranks by, and what its last fit came to. No row: the default, and nothing was fitted yet.
create table search.balance (
  workspace_id uuid not null,
  -- Null together: the default balance.
  recency double precision,
  priority double precision,
  fitted_at timestamptz(3),
  -- Signals that the fit read.
  signals integer,
  -- Share of judged pairs in the right order, on queries the fit did not see, with the balance of before and with this one.
  effect_before double precision,
  effect_after double precision,
  effect_queries integer,
  -- The last try to find a better one, whether it was kept or not. Signals since then are new.
  checked_at timestamptz(3),
  outcome text,
  -- Signals up to here are not learned from again: the moment of the last reset.
  learns_from timestamptz(3),
  -- A server is at work on it until then.
  claimed_until timestamptz(3),
  constraint balance_pk primary key (workspace_id),
  constraint balance_outcome_check check (outcome in ('KEPT', 'NOT_BETTER', 'TOO_FEW'))
);

select core.protect_tenant_table('search.balance');

-- Finds what was asked by the hash that a signal names.
create index query_log_hash on search.query_log (workspace_id, query_hash, created_at);

-- As before, and forgets the vectors of the searches that go.
create or replace function search.forget_searches(memory_ids uuid[]) returns void
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

-- A trigger of its own, so that the one of the first migration stays as it is.
create function search.erase_workspace_feedback() returns trigger
  language plpgsql
  as $$
begin
  delete from search.feedback where workspace_id = old.id;
  delete from search.feedback_query where workspace_id = old.id;
  delete from search.balance where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_search_feedback
  after delete on core.workspace
  for each row execute function search.erase_workspace_feedback();
