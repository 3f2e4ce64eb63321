-- An erasure leaves word for searches that are still to be written of whoever searched for the user's id itself, too.
-- Locks: one function is replaced. Recovery: the file runs in one transaction; fix the cause and start again.

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text, and those of a user, or for the user's id, from before the end of the user's erasure. Ages are given because the clocks of servers
-- differ, and a second is for their way here. They count back from the statement's beginning, which is before the clock, so that no deletion
-- is missed.
create or replace function search.insert_searches(searches text[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
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
        and forgotten_text.forgotten_at >= statement_timestamp() - (given.age_ms + 1000) * interval '1 millisecond'
        and forgotten_text.length <= given.length
        and (
          forgotten_text.digest is null
          or forgotten_text.digest = search.user_digest(given.workspace_id, given.user_id)
          or forgotten_text.digest = search.user_digest(given.workspace_id, given.query_hash)
        )
    )
    on conflict on constraint query_log_pk do nothing
$$;
