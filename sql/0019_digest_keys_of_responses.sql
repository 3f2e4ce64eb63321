-- across workspaces: a migration digests the keys of all of them.
-- Keys of kept responses are kept as their SHA-256: callers put anything into them, also whom a request is about.
-- Locks: the rows of core.idempotent_response. Recovery: the file runs in one transaction; fix the cause and start again.

update core.idempotent_response
set key = encode(sha256(convert_to(idempotent_response.key, 'UTF8')), 'hex');
