-- Searches match words under generic plans, which do not ask how common a word is, and to analyse the words of long texts took the
-- embedded database up to 400 ms, in which everybody waits.
-- Locks: search.term_delta and search.document for a moment, which block no reader or writer. Recovery: the file runs in one
-- transaction; fix the cause and start again.

alter table search.term_delta alter column words set statistics 0;
alter table search.document alter column words set statistics 0;
