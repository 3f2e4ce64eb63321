-- A fit of a workspace's balance is a job with a limit of one, so its row no longer says which server works on it.
-- Locks: search.balance for a moment. Recovery: the file runs in one transaction; fix the cause and start again.

alter table search.balance drop column claimed_until;
