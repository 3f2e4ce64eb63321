-- A sweep across workspaces finds exports and imports that have not ended and have no job any more. The indexes hold nothing else.
-- Locks: exports.export and exports.import while the indexes are built. Recovery: the file runs in one transaction; fix the cause and
-- start again.

create index export_unfinished on exports.export (updated_at) where status in ('PENDING', 'PROCESSING');

create index import_unfinished on exports.import (updated_at) where status in ('PENDING', 'PROCESSING');
