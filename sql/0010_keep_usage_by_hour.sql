-- Usage is kept by the hour, so that it can be shown by the days of any time zone. What was counted by days (UTC) stands at their noon,
-- which lies on the same date nearly everywhere.
-- Locks: core.usage is rewritten, and counters wait in memory meanwhile. Recovery: the file runs in one transaction; fix the cause and
-- start again.

alter table core.usage rename column day to hour;
alter table core.usage alter column hour type timestamptz using (hour + time '12:00') at time zone 'UTC';
