-- A memory that is deleted had other texts than the indexed one, too: those from before it was edited, expired or was absorbed.
-- Locks: nothing; one function is replaced. Recovery: the file runs in one transaction; fix the cause and start again.

-- Deletes the searches of the transaction's workspace that hold every word of a text, those without their text that have the same hash,
-- and the vectors of these searches. It compares words as typed (weight A), since stems are those of the text's language, which a search
-- need not be in. It uses the index of words and never reads the whole log; it runs as the owner because row-level security would keep it
-- from the index.
create function search.forget_text(text_words tsvector, text_length integer) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  workspace uuid := core.current_workspace();
  all_words tsquery := (
    select string_agg('''' || replace(replace(word.lexeme, '\', '\\'), '''', '''''') || '''', ' & ')
    from unnest(tsvector_to_array(ts_filter(text_words, '{a}'))) as word (lexeme)
  )::tsquery;
begin
  with gone as (
    delete from search.query_log
    where query_log.workspace_id = workspace
      and query_log.words @@ all_words
      and query_log.length >= text_length
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
end
$$;

revoke execute on function search.forget_text(tsvector, integer) from public;

-- Forgets the texts of memories, which must still be indexed.
create or replace function search.forget_searches(memory_ids uuid[]) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  workspace uuid := core.current_workspace();
  longest integer := (select max(query_log.length) from search.query_log where query_log.workspace_id = workspace);
begin
  perform search.forget_text(document.words, document.length)
  from search.document
  where document.workspace_id = workspace
    and document.memory_id = any(memory_ids)
    and document.length between 1 and longest;
end
$$;

-- Forgets texts that are not indexed, given by their words, as the text of a tsvector, and the numbers of these.
create function search.forget_texts(texts_words text[], lengths integer[]) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
declare
  workspace uuid := core.current_workspace();
  longest integer := (select max(query_log.length) from search.query_log where query_log.workspace_id = workspace);
begin
  perform search.forget_text(given.words::tsvector, given.length)
  from unnest(texts_words, lengths) as given (words, length)
  where given.length between 1 and longest;
end
$$;

revoke execute on function search.forget_texts(text[], integer[]) from public;
grant execute on function search.forget_texts(text[], integer[]) to mneme_app;
