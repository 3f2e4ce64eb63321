-- across workspaces: a migration counts the memories of all of them.
-- Keeps the number of live memories of each workspace. Statements that change it add to it, so quotas and figures read a few rows
-- instead of counting all memories.
-- Locks: writes to memories.memory wait while they are counted. Recovery: the file runs in one transaction; fix the cause and start again.

create table memories.live_count (
  workspace_id uuid not null,
  -- Writers add to the row of their connection, so that they rarely wait for each other.
  stripe smallint not null,
  -- Only the sum over all stripes is a count: a memory may be removed on another connection than it was stored on.
  count bigint not null,
  constraint live_count_pk primary key (workspace_id, stripe)
)
with (fillfactor = 50);

select core.protect_tenant_table('memories.live_count');

lock table memories.memory in share mode;

insert into memories.live_count (workspace_id, stripe, count)
select memory.workspace_id, 0, count(*)
from memories.memory
where memory.live
group by memory.workspace_id;
