-- Keys of workspaces that were removed keep no names.
-- Locks: the rows of core.api_key that change. Recovery: the file runs in one transaction; fix the cause and start again.

update core.api_key
set name = '', prefix = ''
where api_key.workspace_id is null;
