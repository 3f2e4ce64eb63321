-- A server writes its searches a second late, so the erasure of a user leaves word for those of the user that are still to be written.
-- Locks: search.forgotten_text for a moment; search.query_log against writes while an index is built; one function is replaced. Recovery:
-- the file runs in one transaction; fix the cause and start again.

-- The user whose searches are forgotten, by a digest; null where texts are.
alter table search.forgotten_text add column digest bytea;

create index query_log_user on search.query_log (workspace_id, user_id) where user_id is not null;

-- Tells a user from others without the id.
create function search.user_digest(workspace uuid, user_name text) returns bytea
  language sql
  immutable
  set search_path = pg_catalog, pg_temp
  as $$ select sha256(convert_to(workspace::text || ' ' || user_name, 'UTF8')) $$;

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text, and those of a user from before the end of the user's erasure. Ages are given because the clocks of servers differ, and a second is
-- for their way here. They count back from the statement's beginning, which is before the clock, so that no deletion is missed.
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
        )
    )
    on conflict on constraint query_log_pk do nothing
$$;
