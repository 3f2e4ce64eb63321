-- across workspaces: a migration rewrites the rows of all of them.
-- One name is one entity of a user, whatever the type. Adds to each mention the type that its memory gives, which the entity's type
-- is folded from, and marks the names that several entities of a user bear: graph:sweep folds these.
-- Locks graph.mention and graph.name while they are rewritten. To recover from a failure run it again: it is one transaction.

alter table graph.mention add column type text;
alter table graph.mention add column is_firm boolean not null default false;

update graph.mention
set
  type = entity.type,
  is_firm = exists (
    select
    from graph.evidence
    where evidence.workspace_id = mention.workspace_id
      and evidence.memory_id = mention.memory_id
      and (
        (
          evidence.source_id = mention.entity_id
          and entity.type = 'PERSON'
          and evidence.type in (
            'WORKS_AT', 'STUDIED_AT', 'REPORTS_TO', 'MARRIED_TO', 'PARENT_OF', 'LIVES_IN', 'BORN_IN', 'VISITED'
          )
        )
        or (
          evidence.target_id = mention.entity_id
          and entity.type = case
            when evidence.type in ('WORKS_AT', 'STUDIED_AT', 'MEMBER_OF') then 'ORGANIZATION'
            when evidence.type in ('REPORTS_TO', 'MARRIED_TO', 'PARENT_OF') then 'PERSON'
            when evidence.type in ('LIVES_IN', 'BORN_IN', 'LOCATED_IN', 'VISITED') then 'PLACE'
            when evidence.type = 'USES_TECHNOLOGY' then 'THING'
          end
        )
      )
  )
from graph.entity
where entity.workspace_id = mention.workspace_id
  and entity.id = mention.entity_id;

delete from graph.mention
where mention.type is null;

alter table graph.mention alter column type set not null;
alter table graph.mention
  add constraint mention_type_check check (type in ('PERSON', 'ORGANIZATION', 'PLACE', 'THING'));

-- Another type was given to the name by another memory: who bears it has to be folded.
alter table graph.name add column is_unfolded boolean not null default false;

update graph.name
set is_unfolded = true
where exists (
  select
  from graph.name as other
  where other.workspace_id = name.workspace_id
    and other.user_id = name.user_id
    and other.normal_name = name.normal_name
    and other.entity_id <> name.entity_id
);

create index name_unfolded on graph.name (workspace_id, user_id) where is_unfolded;
create index mention_of_others on graph.mention (workspace_id, entity_id) where not is_user;
