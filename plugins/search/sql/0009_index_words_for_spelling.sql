-- Finds the words of a workspace that begin with given letters, for queries with typing errors. The primary key is ordered by the
-- language of the database, which does not keep words with the same beginning together.
-- Locks: search.term_stat against writes while the index is made. Recovery: the file runs in one transaction; fix the cause and
-- start again.

create index term_stat_beginning on search.term_stat (workspace_id, lexeme collate "C");
