-- Finds the mentions of a user that tell a name among those that give the id alone, which nearly all of the user's memories make. Under
-- row-level security the number of names is no condition that an index is searched by, but it may say what the index holds.
-- Locks graph.mention against writing while the index is built; no row is rewritten. To recover from a failure run it again: it is one
-- transaction.

create index mention_of_told_names on graph.mention (workspace_id, entity_id) where is_user and cardinality(names) > 1;
