-- across workspaces: a migration counts the memories of all of them.
-- Counts absorbed memories beside live ones in memories.live_count: they stay readable, and their texts may be stored again, so a plan's
-- quota has to bound them.
-- Locks: writes to memories.memory wait while they are counted. Recovery: the file runs in one transaction; fix the cause and start again.

lock table memories.memory in share mode;

insert into memories.live_count (workspace_id, stripe, count)
select memory.workspace_id, 0, count(*)
from memories.memory
where memory.consolidated_into is not null
group by memory.workspace_id
on conflict on constraint live_count_pk do update
set count = live_count.count + excluded.count;
