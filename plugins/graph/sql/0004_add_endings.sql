-- Evidence that ends what holds and tells nothing where nothing does. Its target may be the greatest id, which stands for
-- whatever the source has of the type.
-- Locks: graph.evidence, for the moment it takes to note the column. Recovery: the file runs in one transaction; fix the cause and start again.

alter table graph.evidence add column only_ends boolean not null default false;
