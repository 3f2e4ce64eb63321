-- Languages: which one each text was read in, and which one a workspace's texts were last read in as a whole. Further: logged
-- searches that the database refuses are left out one by one, and deleted texts are found in the log whatever their language.
-- Locks: search.document for a moment; the column is null at first, so no row is rewritten. Recovery: the file runs in one
-- transaction; fix the cause and start again.

-- The primary tag of the stemmer's language, or "und" where each word had the one of its script. Null: indexed before.
alter table search.document add column language text;

-- What the workspace's setting was when all of its texts were last read anew. No row, and null: each text has its own language.
create table search.workspace_language (
  workspace_id uuid not null,
  language text,
  constraint workspace_language_pk primary key (workspace_id)
);

select core.protect_tenant_table('search.workspace_language');

create function search.erase_workspace_language() returns trigger
  language plpgsql
  as $$
begin
  delete from search.workspace_language where workspace_id = old.id;
  return null;
end
$$;

create trigger erase_search_language
  after delete on core.workspace
  for each row execute function search.erase_workspace_language();

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

-- The same, but what is refused for its data is left out instead of failing the rest. Returns how many that were.
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

-- As before, but by the words as typed (weight A): stems are those of the text's language, which a search may not be in.
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
    )
    delete from search.feedback_query
    where feedback_query.workspace_id = workspace
      and feedback_query.query_hash in (select gone.query_hash from gone);
  end loop;
end
$$;
