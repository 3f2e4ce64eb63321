-- Lets the retention of queries with feedback find the old ones.
-- Locks search.feedback_query against writes while the index is built; it has a row for each query with feedback. Recovery: the file
-- runs in one transaction; fix the cause and start again.

create index feedback_query_age on search.feedback_query (workspace_id, last_signal_at);
