-- across workspaces: a migration rewrites the rows of all of them.
-- The name of what made a vector tells its length as well. Vectors from before get it here, so that none has to be made again.
-- Locks the rows of graph.entity that have a vector while they are rewritten, some seconds for each 100,000. To recover from a failure run it
-- again: it is one transaction.

update graph.entity
set embedding_model = entity.embedding_model || '#' || vector_dims(entity.embedding)
where entity.embedding is not null
  and entity.embedding_model not like '%#' || vector_dims(entity.embedding);
