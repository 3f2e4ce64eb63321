-- across workspaces: a migration mends the imports of all of them.
-- Imports that have ended no longer say which users' memories they left out.
-- Locks: the rows of exports.import that change. Recovery: the file runs in one transaction; fix the cause and start again.

update exports.import
set cleared = '[]'
where import.status in ('COMPLETED', 'FAILED')
  and import.cleared <> '[]';
