-- Knowledge compiled from the graph's statements: Markdown documents by user and category, profiles, and pending compilations.
-- All but the hand-written parts is derived from memories and withdrawn with them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- One document per user and category.
create table knowledge.entry (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  category text not null,
  -- Markdown as readers get it: `compiled` merged with `hand`.
  content text not null,
  -- The statements in their sections, each with the memories that say it.
  compiled jsonb not null,
  -- Hand-written additions, changes and removals.
  hand jsonb not null,
  -- Digest of the statements it was compiled from: the same statements are not compiled again.
  fingerprint text not null,
  -- `local`, or the language model that wrote its prose.
  written_by text not null,
  -- When it is due to be written again, because the model was away; null otherwise.
  improve_at timestamptz(3),
  version integer not null,
  -- Words of the content without its comments, for full-text search.
  words tsvector not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint entry_pk primary key (workspace_id, id),
  constraint entry_unique unique (workspace_id, user_id, category)
);

create index entry_newest on knowledge.entry (workspace_id, created_at desc, id desc);
create index entry_to_improve on knowledge.entry (improve_at) where improve_at is not null;
create index entry_words on knowledge.entry using gin (words);

select core.protect_tenant_table('knowledge.entry');

-- Under row-level security an operator that is not leakproof (@@) never uses an index. A view runs with its owner's rights,
-- so here the index is used, and the view itself binds the rows to the transaction's workspace.
create view knowledge.own_entry as
  select *
  from knowledge.entry
  where workspace_id is not distinct from (select core.current_workspace());

grant select on knowledge.own_entry to mneme_app;

-- The documents and profiles that rest on a memory, so that a deletion finds them.
create table knowledge.source (
  workspace_id uuid not null,
  memory_id uuid not null,
  -- The id of an entry or of a profile.
  holder_id uuid not null,
  constraint source_pk primary key (workspace_id, memory_id, holder_id)
);

create index source_of_holder on knowledge.source (workspace_id, holder_id);

select core.protect_tenant_table('knowledge.source');

-- Categories whose statements changed since they were compiled; an empty category stands for all of the user's.
create table knowledge.change (
  workspace_id uuid not null,
  user_id text not null,
  category text not null,
  -- The first change since: compilation is debounced while changes come, but not for ever.
  marked_at timestamptz(3) not null,
  constraint change_pk primary key (workspace_id, user_id, category)
);

create index change_waiting on knowledge.change (marked_at);

select core.protect_tenant_table('knowledge.change');

-- A short profile per user.
create table knowledge.profile (
  workspace_id uuid not null,
  user_id text not null,
  id uuid not null,
  -- The user's name, facts and topics, each with memories that say so.
  portrait jsonb not null,
  entity_count integer not null,
  extracted_at timestamptz(3) not null,
  constraint profile_pk primary key (workspace_id, user_id),
  constraint profile_id_unique unique (workspace_id, id)
);

select core.protect_tenant_table('knowledge.profile');
