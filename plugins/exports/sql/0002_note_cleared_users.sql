-- Users and agents whose memories were all deleted while an import ran: none of theirs is stored any more.
-- Locks: exports.import for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

-- [{userId?, agentId?}]
alter table exports.import add column cleared jsonb not null default '[]';
