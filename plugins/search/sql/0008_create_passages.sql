-- across workspaces: a migration gives the long texts of all of them their passages.
-- Passages of long texts with vectors of their own. Memories embedded before get theirs in the background.
-- Locks: search.embedding_use for an instant; search.document is read once. Recovery: the file runs in one transaction; fix the cause
-- and start again.

-- One row per passage. Of the filters it repeats the user alone: an exact scan reads one user's passages, and other filters are checked
-- on the documents of the nearest. The vector is stored as in search.embedding, for the same reasons.
do $$
begin
  execute format(
    'create table search.passage (
      workspace_id uuid not null,
      memory_id uuid not null,
      model smallint not null,
      ordinal smallint not null,
      -- The number of passages of the text.
      passages smallint not null,
      -- Where it begins and ends in the text, about, in UTF-16 units.
      start_at integer not null,
      end_at integer not null,
      embedding %s not null,
      user_id text not null,
      constraint passage_pk primary key (workspace_id, memory_id, model, ordinal)
    )',
    case when version() like '%emscripten%' then 'vector' else 'halfvec' end
  );
end
$$;

alter table search.passage alter column embedding set storage plain;

create index passage_user on search.passage (workspace_id, user_id);

select core.protect_tenant_table('search.passage');

-- Only the built-in model reads long texts in passages. Texts that may be long enough are embedded with it once more, as gaps of the
-- model in use or of its successor; one without passages in the end costs nothing but the time.
insert into search.embedding_gap (workspace_id, memory_id, model, refused)
select embedding.workspace_id, embedding.memory_id, embedding.model, false
from search.embedding_use
join search.model on model.id = coalesce(embedding_use.target, embedding_use.active) and model.kind = 'local'
join search.embedding on embedding.model = model.id
join search.document
  on document.workspace_id = embedding.workspace_id
  and document.memory_id = embedding.memory_id
  and document.length > 80
on conflict on constraint embedding_gap_pk do nothing;

update search.embedding_use
set target = embedding_use.active,
  cursor_workspace = null,
  cursor_memory = null,
  all_seen = false,
  seen = 0,
  total = (select count(*) from search.document),
  refused = 0,
  clean_from = null,
  failures = 0,
  problem = null,
  resume_at = null,
  declined_at = null,
  started_at = now()
where embedding_use.target is null
  and exists (select from search.embedding_gap where embedding_gap.model = embedding_use.active and not embedding_gap.refused);
