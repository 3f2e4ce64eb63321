-- Finds entities whose vector is of another model than the one in use.
-- Locks: writes to graph.entity while the index is made. Recovery: the file runs in one transaction; fix the cause and start again.

create index entity_model on graph.entity (embedding_model) where embedding_model is not null;
