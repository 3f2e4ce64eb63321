-- A column of a view that no index serves, so that the planner does not read the index entries of a whole workspace beside the few of a term.
-- Locks: nothing. Recovery: the file runs in one transaction; fix the cause and start again.

-- Returns what it is given. The planner replaces the call by its body, which is no column. Where tables are distributed, `distribute` gives it another
-- body that is one (docs/scaling.md), so that a comparison tells the node.
create function core.unindexed(id uuid) returns uuid
  language sql immutable parallel safe
  as $$ select least(id) $$;
