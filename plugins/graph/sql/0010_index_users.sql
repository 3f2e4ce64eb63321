-- Finds what the graph has of a user, to erase it: the other tables have such an index.
-- Locks: writes to the tables wait while the indexes are built. Recovery: the file runs in one transaction; fix the cause and start again.

create index edge_of_user on graph.edge (workspace_id, user_id);
create index evidence_of_user on graph.evidence (workspace_id, user_id);
create index reading_of_user on graph.reading (workspace_id, user_id);
