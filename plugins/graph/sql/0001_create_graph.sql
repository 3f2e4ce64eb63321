-- The graph of what memories say: entities, their names, edges with their evidence, statements, and what waits to be read.
-- Everything here is derived from memories and is withdrawn with them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create extension if not exists vector;

-- A person, organization, place or thing of one user.
create table graph.entity (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  type text not null,
  -- As a memory writes it. Of the user: the user's id until a memory states the name.
  name text not null,
  -- NFKC, lower case, inner spaces to one, punctuation at the ends dropped.
  normal_name text not null,
  -- The one whose memories these are.
  is_user boolean not null default false,
  description text,
  metadata jsonb,
  -- When the first memory that names it was stored: what was known before does not hold it.
  known_from timestamptz(3) not null,
  -- Of the name and description, by the model of search.model's id; null until it is embedded, or where the model is away.
  embedding vector,
  embedding_model text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint entity_pk primary key (workspace_id, id),
  constraint entity_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade,
  constraint entity_type_check check (type in ('PERSON', 'ORGANIZATION', 'PLACE', 'THING'))
);

-- Resolving keeps names apart; no constraint does, or a withdrawal that renames could make a deletion of memories fail.
create index entity_name on graph.entity (workspace_id, user_id, type, normal_name);

create unique index entity_user_unique on graph.entity (workspace_id, user_id) where is_user;
create index entity_newest on graph.entity (workspace_id, created_at desc, id desc);
create index entity_unembedded on graph.entity (workspace_id, id) where embedding is null;

select core.protect_tenant_table('graph.entity');

-- That a memory names an entity.
create table graph.mention (
  workspace_id uuid not null,
  memory_id uuid not null,
  entity_id uuid not null,
  user_id text not null,
  -- Every form in which the memory names it, first the one the extraction chose; and their normal forms, in the same order.
  names text[] not null,
  normal_names text[] not null,
  -- The memory says this of its own user; with more than one name it tells how the user is called.
  is_user boolean not null default false,
  confidence real not null,
  span_start integer not null,
  span_end integer not null,
  -- When the memory's text was stored.
  stated_at timestamptz(3) not null,
  constraint mention_pk primary key (workspace_id, memory_id, entity_id),
  constraint mention_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index mention_of_entity on graph.mention (workspace_id, entity_id, stated_at, memory_id);
create index mention_by_user on graph.mention (workspace_id, user_id, entity_id);
create index mention_of_user on graph.mention (workspace_id, entity_id, (cardinality(names) > 1) desc, stated_at desc, memory_id desc)
  where is_user;

select core.protect_tenant_table('graph.mention');

-- Every name an entity goes by, of all mentions: what resolving and filters by name look in.
create table graph.name (
  workspace_id uuid not null,
  user_id text not null,
  normal_name text not null,
  entity_id uuid not null,
  constraint name_pk primary key (workspace_id, user_id, normal_name, entity_id),
  constraint name_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index name_of_entity on graph.name (workspace_id, entity_id);
create index name_in_workspace on graph.name (workspace_id, normal_name);

select core.protect_tenant_table('graph.name');

-- A relationship while it was known to hold: one that ends and begins again is two edges. Derived from evidence alone.
create table graph.edge (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  -- Of symmetric types the lesser id is the source.
  source_id uuid not null,
  target_id uuid not null,
  type text not null,
  -- What was known when: it holds in the graph of an instant in [known_from, known_to). Null: it holds now.
  known_from timestamptz(3) not null,
  known_to timestamptz(3),
  -- What the memories say of when it held; null where they do not say.
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  -- 1 - product of (1 - confidence * decay) when last weighed, for choosing among many; answers compute it anew.
  weight real not null,
  weighed_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint edge_pk primary key (workspace_id, id),
  constraint edge_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index edge_of_pair on graph.edge (workspace_id, source_id, target_id, type);
-- What the daily chore weighs anew, and closes where its end has come.
create index edge_stale on graph.edge (weighed_at);

create index edge_out on graph.edge (workspace_id, source_id, weight desc) include (target_id, type, known_from, known_to);
create index edge_in on graph.edge (workspace_id, target_id, weight desc) include (source_id, type, known_from, known_to);

select core.protect_tenant_table('graph.edge');

-- What one memory says about one relationship.
create table graph.evidence (
  workspace_id uuid not null,
  id uuid not null,
  memory_id uuid not null,
  user_id text not null,
  source_id uuid not null,
  target_id uuid not null,
  type text not null,
  -- The edge it supports or ends.
  edge_id uuid,
  confidence real not null,
  -- It says that the relationship holds no more.
  closes boolean not null,
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  span_start integer not null,
  span_end integer not null,
  -- When the memory's text was stored.
  stated_at timestamptz(3) not null,
  -- The latest it can have begun or ended by what the memory says of that; null where it says nothing.
  effective_at timestamptz(3),
  -- It holds beside others of its kind, as a second job does.
  besides boolean not null default false,
  constraint evidence_pk primary key (workspace_id, id),
  constraint evidence_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index evidence_of_memory on graph.evidence (workspace_id, memory_id);
create index evidence_of_edge on graph.evidence (workspace_id, edge_id);
create index evidence_of_source on graph.evidence (workspace_id, source_id, type, target_id);
create index evidence_of_target on graph.evidence (workspace_id, target_id, type);

select core.protect_tenant_table('graph.evidence');

-- Sentences worth keeping, word for word; what knowledge is compiled from.
create table graph.statement (
  workspace_id uuid not null,
  memory_id uuid not null,
  ordinal integer not null,
  user_id text not null,
  text text not null,
  -- The memory's own categories, or the one it was filed under.
  categories text[] not null,
  confidence real not null,
  span_start integer not null,
  span_end integer not null,
  stated_at timestamptz(3) not null,
  constraint statement_pk primary key (workspace_id, memory_id, ordinal),
  constraint statement_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index statement_of_user on graph.statement (workspace_id, user_id, stated_at);

select core.protect_tenant_table('graph.statement');

-- One row a memory that is to be read or was: the queue of the extraction, and who read what.
create table graph.reading (
  workspace_id uuid not null,
  memory_id uuid not null,
  user_id text not null,
  revision integer not null,
  -- Null while it waits. `local` where a model was configured but away or over its budget: to be read again.
  extracted_by text,
  -- It should be read (again): new, changed, or read by the lesser extractor.
  waiting boolean not null,
  -- Not before: spaces out what failed or waits for a model.
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  read_at timestamptz(3),
  -- What was, or is to be, read: tells a change of text or categories from one that leaves the facts as they are.
  text_hash text not null,
  categories text[] not null,
  -- When that text was stored.
  stated_at timestamptz(3) not null,
  constraint reading_pk primary key (workspace_id, memory_id),
  constraint reading_workspace_fk foreign key (workspace_id) references core.workspace (id) on delete cascade
);

create index reading_waiting on graph.reading (workspace_id, due_at) where waiting;

select core.protect_tenant_table('graph.reading');

-- What is left of a confidence after `age`: it halves as fast as facts of a type go out of date. `decay` in weight.ts is the same.
create function graph.decay(relation_type text, age interval) returns double precision
  language sql
  immutable
  parallel safe
  return power(
    0.5::double precision,
    greatest(extract(epoch from age)::double precision, 0) / 86400 / case
      when relation_type in ('BORN_IN', 'PARENT_OF', 'LOCATED_IN', 'PART_OF', 'CREATED', 'STUDIED_AT', 'RELATED_TO') then 3650
      when relation_type in ('LIKES', 'DISLIKES', 'INTERESTED_IN', 'USES_TECHNOLOGY') then 365
      else 1095
    end
  );

revoke execute on function graph.decay(text, interval) from public;
grant execute on function graph.decay(text, interval) to mneme_app;
