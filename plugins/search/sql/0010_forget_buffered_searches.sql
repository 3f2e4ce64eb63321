-- A server writes its searches a second late, so a deletion leaves word of what those that are still to be written may hold.
-- Locks: nothing that exists before; one function is replaced. Recovery: the file runs in one transaction; fix the cause and
-- start again.

-- When texts were deleted, and how many words the shortest of them had: a search with fewer cannot hold one.
create table search.forgotten_text (
  workspace_id uuid not null,
  forgotten_at timestamptz not null default clock_timestamp(),
  id uuid not null default gen_random_uuid(),
  length integer not null,
  constraint forgotten_text_pk primary key (workspace_id, forgotten_at, id)
);

select core.protect_tenant_table('search.forgotten_text');

-- Writes logged searches, each given as the text of a JSON object, except those from before a deletion that may hold a deleted
-- text. Ages are given because the clocks of servers differ, and a second is for their way here.
create or replace function search.insert_searches(searches text[]) returns void
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
      best_score real, duration_ms real, words tsvector, length integer, created_at timestamptz, age_ms double precision
    )
    where not exists (
      select
      from search.forgotten_text
      where forgotten_text.workspace_id = given.workspace_id
        and forgotten_text.forgotten_at >= clock_timestamp() - (given.age_ms + 1000) * interval '1 millisecond'
        and forgotten_text.length <= given.length
    )
$$;
