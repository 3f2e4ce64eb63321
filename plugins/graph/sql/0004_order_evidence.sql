-- Evidence is read from its oldest and its newest statement on, so that a relationship with very many costs no more than one with some.
-- Locks graph.evidence against writing while the indexes are built; no row is rewritten. To recover from a failure run it again: it is one
-- transaction.

create index evidence_of_source_by_time on graph.evidence (workspace_id, source_id, type, stated_at, id);
create index evidence_of_target_by_time on graph.evidence (workspace_id, target_id, type, stated_at, id);
create index evidence_of_triple_by_time on graph.evidence (workspace_id, source_id, type, target_id, stated_at, id);
-- Evidence that no edge rests on yet; the index holds nothing else.
create index evidence_unlinked on graph.evidence (workspace_id, source_id, target_id, type) where edge_id is null and not only_ends;

drop index graph.evidence_of_source;
drop index graph.evidence_of_target;
