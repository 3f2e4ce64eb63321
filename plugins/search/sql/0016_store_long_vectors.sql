-- A vector of more than some 2,000 dimensions (4,000 in half precision) does not fit into a row of 8,160 bytes, and with storage plain
-- it was refused. It is now moved out of its row, uncompressed: compressed ones (storage main) took three times as long to compare. The
-- target keeps all rows that fit as they were, in line.
-- Locks: search.embedding, search.passage and search.feedback_query for a moment; no row is rewritten. Recovery: the file runs in one
-- transaction; fix the cause and start again.

alter table search.embedding set (toast_tuple_target = 8160);
alter table search.embedding alter column embedding set storage external;

alter table search.passage set (toast_tuple_target = 8160);
alter table search.passage alter column embedding set storage external;

alter table search.feedback_query set (toast_tuple_target = 8160);
alter table search.feedback_query alter column embedding set storage external;
