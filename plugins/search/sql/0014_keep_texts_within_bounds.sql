-- The log keeps the texts of a workspace's searches up to a bound. Beyond it a search is logged by its hash and its figures alone, so that
-- every figure stays exact.
-- Locks: search.query_log for a moment, for a column with a constant default, and then against writes while an index is built.
-- Recovery: the file runs in one transaction; fix the cause and start again.

alter table search.query_log add column has_text boolean not null default true;

drop index search.query_log_hash;
-- The newest text of a hash is found at once, however many searches without their text came after it.
create index query_log_hash on search.query_log (workspace_id, query_hash, has_text, created_at);

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text. Ages are given because the clocks of servers differ, and a second is for their way here.
create or replace function search.insert_searches(searches text[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into search.query_log (
      workspace_id, id, query, query_hash, mode, user_id, is_filtered, results, best_score, duration_ms, words, length, has_text,
      created_at
    )
    select
      given.workspace_id, given.id, given.query, given.query_hash, given.mode, given.user_id, given.is_filtered, given.results,
      given.best_score, given.duration_ms, given.words, given.length, coalesce(given.has_text, true), given.created_at
    from unnest(searches) as search (content)
    cross join lateral jsonb_to_record(search.content::jsonb) as given (
      workspace_id uuid, id uuid, query text, query_hash text, mode text, user_id text, is_filtered boolean, results integer,
      best_score real, duration_ms real, words tsvector, length integer, has_text boolean, created_at timestamptz, age_ms double precision
    )
    where not exists (
      select
      from search.forgotten_text
      where forgotten_text.workspace_id = given.workspace_id
        and forgotten_text.forgotten_at >= clock_timestamp() - (given.age_ms + 1000) * interval '1 millisecond'
        and forgotten_text.length <= given.length
    )
    on conflict on constraint query_log_pk do nothing
$$;

-- Deletes the searches of the transaction's workspace that hold every word of one of these memories, which must still be
-- indexed, those without their text that have the same hash, and the vectors of these searches. It compares words as typed (weight A),
-- since stems are those of the text's language, which a search need not be in. Memory by memory it uses the index of words and never reads
-- the whole log; it runs as the owner because row-level security would keep it from the index.
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
    ),
    without_text as (
      delete from search.query_log
      where query_log.workspace_id = workspace
        and not query_log.has_text
        and query_log.query_hash in (select gone.query_hash from gone)
    )
    delete from search.feedback_query
    where feedback_query.workspace_id = workspace
      and feedback_query.query_hash in (select gone.query_hash from gone);
  end loop;
end
$$;
