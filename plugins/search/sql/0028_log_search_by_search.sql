-- The log of searches is written and forgotten row by row, so that a distributed Postgres sends each statement to its node.
-- Locks: functions are replaced. Recovery: the file runs in one transaction; fix the cause and start again.

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text, and those of a user, or for the user's id, from before the end of the user's erasure. Ages are given because the clocks of servers
-- differ, and a second is for their way here. They count back from the statement's beginning, which is before the clock, so that no deletion
-- is missed.
create or replace function search.insert_searches(searches text[]) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  given record;
begin
  for given in
    select content.*
    from unnest(searches) as search (content)
    cross join lateral jsonb_to_record(search.content::jsonb) as content (
      workspace_id uuid, id uuid, query text, query_hash text, mode text, user_id text, is_filtered boolean, results integer,
      best_score real, duration_ms real, words tsvector, length integer, has_text boolean, created_at timestamptz, age_ms double precision
    )
  loop
    if not exists (
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
    ) then
      insert into search.query_log (
        workspace_id, id, query, query_hash, mode, user_id, is_filtered, results, best_score, duration_ms, words, length, has_text,
        created_at
      )
      values (
        given.workspace_id, given.id, given.query, given.query_hash, given.mode, given.user_id, given.is_filtered, given.results,
        given.best_score, given.duration_ms, given.words, given.length, coalesce(given.has_text, true), given.created_at
      )
      on conflict on constraint query_log_pk do nothing;
    end if;
  end loop;
end
$$;

-- As they were, with a loop in the place of a select that would call the function on the node.
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
    select document.words, document.length
    from search.document
    where document.workspace_id = workspace
      and document.memory_id = any(memory_ids)
      and document.length between 1 and longest
  loop
    perform search.forget_text(forgotten.words, forgotten.length);
  end loop;
end
$$;
