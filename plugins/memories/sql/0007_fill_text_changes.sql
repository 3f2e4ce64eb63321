-- across workspaces: a migration fills in the memories of all of them.
-- Fills in when texts were changed, as histories tell it. One that begins with a later revision came from an archive without history, and
-- nothing tells what was changed: then the last change of anything counts, as it did before.
-- Locks: the memories with a changed text; the table is read once. Recovery: the file runs in one transaction; fix the cause and start again.

update memories.memory
set text_changed_at = changed.at
from (
  select
    edited.workspace_id, edited.id,
    max(case history.event when 'CREATED' then edited.updated_at else history.created_at end) as at
  from memories.memory as edited
  join memories.history on history.workspace_id = edited.workspace_id and history.memory_id = edited.id
  where edited.revision > 1
    and (
      (history.event = 'UPDATED' and history.old_content <> history.new_content)
      or (history.event = 'CREATED' and history.revision > 1)
    )
  group by edited.workspace_id, edited.id
) as changed
where memory.workspace_id = changed.workspace_id
  and memory.id = changed.id;
