-- across workspaces: a migration rewrites the rows of all of them.
-- Somebody called by the first or last words of a name is the one who bears it, as long as nobody else does. Finds names by their first and last
-- words, and marks the names that are short for another person's: graph:sweep folds these.
-- Locks graph.name while it is rewritten and its indexes are built. To recover from a failure run it again: it is one
-- transaction.

-- Columns, since under row-level security no index is searched by what a function makes of one.
alter table graph.name
  add column first_word text not null generated always as (split_part(normal_name, ' ', 1)) stored,
  add column last_word text not null generated always as (split_part(normal_name, ' ', -1)) stored;

create index name_by_first_word on graph.name (workspace_id, user_id, first_word);
create index name_by_last_word on graph.name (workspace_id, user_id, last_word);

update graph.name
set is_unfolded = true
from graph.entity
where entity.workspace_id = name.workspace_id
  and entity.id = name.entity_id
  and entity.type = 'PERSON'
  and exists (
    select
    from graph.name as whole
    where whole.workspace_id = name.workspace_id
      and whole.user_id = name.user_id
      and whole.entity_id <> name.entity_id
      and (
        (
          whole.first_word = name.first_word
          and starts_with(whole.normal_name, name.normal_name || ' ')
        )
        or (
          whole.last_word = name.last_word
          and right(whole.normal_name, length(name.normal_name) + 1) = ' ' || name.normal_name
        )
      )
  );
