-- The knowledge graph: entities, their names, edges with their evidence, statements, and the queue of memories to extract from.
-- Everything here is derived from memories and is withdrawn with them.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create extension if not exists vector;

-- A person, organization, place or thing of one user.
create table graph.entity (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  type text not null,
  -- As a memory writes it. The user's own entity is named by the user's id until a memory states the name.
  name text not null,
  -- NFKC, lower case, inner spaces to one, punctuation at the ends dropped.
  normal_name text not null,
  -- The entity is the user to whom these memories belong.
  is_user boolean not null default false,
  description text,
  metadata jsonb,
  -- When the first memory that names it was stored: the graph of an earlier instant does not hold it.
  known_from timestamptz(3) not null,
  -- The vector of the name and description, and the id of the model that made it; null until it is embedded.
  embedding vector,
  embedding_model text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint entity_pk primary key (workspace_id, id),
  constraint entity_type_check check (type in ('PERSON', 'ORGANIZATION', 'PLACE', 'THING'))
);

-- Resolution keeps names unique. A unique constraint could make the deletion of a memory fail, because a withdrawal renames.
create index entity_name on graph.entity (workspace_id, user_id, type, normal_name);

create unique index entity_user_unique on graph.entity (workspace_id, user_id) where is_user;
create index entity_newest on graph.entity (workspace_id, created_at desc, id desc);
create index entity_unembedded on graph.entity (workspace_id, id) where embedding is null;
-- Finds entities whose vector was made by another model than the current one.
create index entity_model on graph.entity (embedding_model) where embedding_model is not null;

select core.protect_tenant_table('graph.entity');

-- Mentions of entities in memories.
create table graph.mention (
  workspace_id uuid not null,
  memory_id uuid not null,
  entity_id uuid not null,
  user_id text not null,
  -- Every form in which the memory names it, the chosen one first, and their normal forms in the same order.
  names text[] not null,
  normal_names text[] not null,
  -- The mention is the memory's own user; with more than one name it states how the user is called.
  is_user boolean not null default false,
  confidence real not null,
  span_start integer not null,
  span_end integer not null,
  -- When the memory's text was stored.
  stated_at timestamptz(3) not null,
  constraint mention_pk primary key (workspace_id, memory_id, entity_id)
);

create index mention_of_entity on graph.mention (workspace_id, entity_id, stated_at, memory_id);
create index mention_by_user on graph.mention (workspace_id, user_id, entity_id);
create index mention_of_user on graph.mention (workspace_id, entity_id, (cardinality(names) > 1) desc, stated_at desc, memory_id desc)
  where is_user;

select core.protect_tenant_table('graph.mention');

-- Every name of an entity, from all mentions: resolution and filters by name look here.
create table graph.name (
  workspace_id uuid not null,
  user_id text not null,
  normal_name text not null,
  entity_id uuid not null,
  constraint name_pk primary key (workspace_id, user_id, normal_name, entity_id)
);

create index name_of_entity on graph.name (workspace_id, entity_id);
create index name_in_workspace on graph.name (workspace_id, normal_name);

select core.protect_tenant_table('graph.name');

-- A relationship while it was known to hold: one that ends and begins again has two edges. Edges follow from evidence alone.
create table graph.edge (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  -- An edge of a symmetric type has the lesser id as its source.
  source_id uuid not null,
  target_id uuid not null,
  type text not null,
  -- It holds in the graph of any instant in [known_from, known_to); where known_to is null, it holds now.
  known_from timestamptz(3) not null,
  known_to timestamptz(3),
  -- When it held according to the memories; null where they do not say.
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  -- 1 - product of (1 - confidence * decay) as of weighed_at. It chooses candidates; responses compute it afresh.
  weight real not null,
  weighed_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint edge_pk primary key (workspace_id, id)
);

create index edge_of_pair on graph.edge (workspace_id, source_id, target_id, type);
-- The daily task finds edges to weigh again, and to close where their end has passed.
create index edge_stale on graph.edge (weighed_at);

create index edge_out on graph.edge (workspace_id, source_id, weight desc) include (target_id, type, known_from, known_to);
create index edge_in on graph.edge (workspace_id, target_id, weight desc) include (source_id, type, known_from, known_to);

select core.protect_tenant_table('graph.edge');

-- The statement of one memory about one relationship.
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
  -- It states that the relationship no longer holds.
  closes boolean not null,
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  span_start integer not null,
  span_end integer not null,
  -- When the memory's text was stored.
  stated_at timestamptz(3) not null,
  -- The latest instant at which it can have begun or ended according to the memory; null where the memory does not say.
  effective_at timestamptz(3),
  -- It holds beside others of its kind, as a second job does.
  is_concurrent boolean not null default false,
  -- It ends the relationships it matches and states none. Its target may be the greatest id, which stands for every target of
  -- the source and type.
  only_ends boolean not null default false,
  constraint evidence_pk primary key (workspace_id, id)
);

create index evidence_of_memory on graph.evidence (workspace_id, memory_id);
create index evidence_of_edge on graph.evidence (workspace_id, edge_id);
create index evidence_of_source on graph.evidence (workspace_id, source_id, type, target_id);
create index evidence_of_target on graph.evidence (workspace_id, target_id, type);

select core.protect_tenant_table('graph.evidence');

-- Sentences worth keeping, word for word. Knowledge is compiled from them.
create table graph.statement (
  workspace_id uuid not null,
  memory_id uuid not null,
  ordinal integer not null,
  user_id text not null,
  text text not null,
  -- The memory's own categories, or the one that was assigned to it.
  categories text[] not null,
  confidence real not null,
  span_start integer not null,
  span_end integer not null,
  stated_at timestamptz(3) not null,
  constraint statement_pk primary key (workspace_id, memory_id, ordinal)
);

create index statement_of_user on graph.statement (workspace_id, user_id, stated_at);

select core.protect_tenant_table('graph.statement');

-- The extraction queue, one row per memory that is pending or was read, and the extractor that read it.
create table graph.reading (
  workspace_id uuid not null,
  memory_id uuid not null,
  user_id text not null,
  revision integer not null,
  -- Null while it is pending. `local` although a model is configured: the model was away or over its budget, and reads it later.
  extracted_by text,
  read_at timestamptz(3),
  -- Digest of the text that was or will be read: tells whether an update changes the facts.
  text_hash text not null,
  categories text[] not null,
  -- When that text was stored.
  stated_at timestamptz(3) not null,
  constraint reading_pk primary key (workspace_id, memory_id)
);

select core.protect_tenant_table('graph.reading');
-- It is due when it is pending: new, changed, or read by the lesser extractor only, and then not before its time. Rank 1: it was stored
-- while the graph was switched off and never read, and goes behind the memories that users wait for.
select core.make_work_table('graph.reading');

-- Memories that were merged into another: the survivor's text was stated again when the absorbed one's text was stored.
create table graph.restatement (
  workspace_id uuid not null,
  -- The survivor.
  memory_id uuid not null,
  absorbed_id uuid not null,
  -- When the absorbed memory's text was stored.
  stated_at timestamptz(3) not null,
  constraint restatement_pk primary key (workspace_id, memory_id, absorbed_id)
);

create index restatement_absorbed on graph.restatement (workspace_id, absorbed_id);

select core.protect_tenant_table('graph.restatement');

-- Users whose facts changed since a listener acknowledged it: a listener that was switched off finds here what it missed.
create table graph.changed_user (
  workspace_id uuid not null,
  user_id text not null,
  changed_at timestamptz(3) not null,
  constraint changed_user_pk primary key (workspace_id, user_id)
);

select core.protect_tenant_table('graph.changed_user');

-- The share of a confidence that is left after `age`: it halves as fast as facts of a type go
-- out of date. After a hundred halvings it stays, since Postgres refuses what is too small for a number. `decay` in weight.ts
-- computes the same.
create function graph.decay(relation_type text, age interval) returns double precision
  language sql
  immutable
  parallel safe
  return power(
    0.5::double precision,
    least(
      100,
      greatest(extract(epoch from age)::double precision, 0) / 86400 / case
        when relation_type in ('BORN_IN', 'PARENT_OF', 'LOCATED_IN', 'PART_OF', 'CREATED', 'STUDIED_AT', 'RELATED_TO') then 3650
        when relation_type in ('LIKES', 'DISLIKES', 'INTERESTED_IN', 'USES_TECHNOLOGY') then 365
        else 1095
      end
    )
  );

revoke execute on function graph.decay(text, interval) from public;
grant execute on function graph.decay(text, interval) to mneme_app;
