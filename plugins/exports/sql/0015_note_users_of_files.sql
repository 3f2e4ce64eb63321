-- An import notes whom the lines of its file name, so that an erasure takes the name of the file, which may tell of them.
-- Locks: exports.import for a moment, without a rewrite. Recovery: the file runs in one transaction; fix the cause and start again.

-- A digest of each user, salted by the import's id. Null where it is not known or there are too many: the file may be about anybody.
alter table exports.import add column named bigint[];
alter table exports.import alter column named set default '{}';
