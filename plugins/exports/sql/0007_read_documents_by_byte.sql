-- across workspaces: a migration changes the imports of all of them.
-- An import goes on in a JSON document at a byte, as in a file of lines. Those of documents that are under way counted items: they begin
-- again, and skip what they have stored.
-- Locks: exports.import while its rows are written. Recovery: the file runs in one transaction; fix the cause and start again.

alter table exports.import
  -- The name of the document's list that is read at the position, as JSON, which tells of every character.
  add column list text not null default '""';

update exports.import
set position = 0, lines = 0
where import.format in ('list', 'document') and import.status in ('PENDING', 'PROCESSING');
