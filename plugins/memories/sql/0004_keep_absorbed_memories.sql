-- across workspaces: a migration mends the memories of all of them.
-- Memories that were absorbed by one that was made permanent since are permanent too: they were left to expire and be deleted.
-- Locks: the memories that it changes, of which there are few. Recovery: the file runs in one transaction; fix the cause and start again.

do $$
begin
  -- Each round reaches what those of the round before had absorbed.
  loop
    update memories.memory as absorbed
    set layer = 'RAW', expires_at = null
    from memories.memory as survivor
    where absorbed.workspace_id = survivor.workspace_id
      and absorbed.consolidated_into = survivor.id
      and absorbed.layer = 'TASK'
      and survivor.layer = 'RAW';
    exit when not found;
  end loop;
end
$$;
