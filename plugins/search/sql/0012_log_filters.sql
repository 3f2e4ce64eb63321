-- The log says whether a search had filters, never which: without any, no filter can have kept memories from it.
-- Locks: search.query_log for a moment, for a column without a default; one function is replaced. Recovery: the file runs in one
-- transaction; fix the cause and start again.

-- Null: the search was logged before this was noted, or by a server of an earlier version.
alter table search.query_log add column is_filtered boolean;

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text. Ages are given because the clocks of servers differ, and a second is for their way here.
create or replace function search.insert_searches(searches text[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into search.query_log (
      workspace_id, id, query, query_hash, mode, user_id, is_filtered, results, best_score, duration_ms, words, length, created_at
    )
    select
      given.workspace_id, given.id, given.query, given.query_hash, given.mode, given.user_id, given.is_filtered, given.results,
      given.best_score, given.duration_ms, given.words, given.length, given.created_at
    from unnest(searches) as search (content)
    cross join lateral jsonb_to_record(search.content::jsonb) as given (
      workspace_id uuid, id uuid, query text, query_hash text, mode text, user_id text, is_filtered boolean, results integer,
      best_score real, duration_ms real, words tsvector, length integer, created_at timestamptz, age_ms double precision
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
