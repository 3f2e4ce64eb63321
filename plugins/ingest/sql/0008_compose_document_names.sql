-- across workspaces: a migration composes the names of the documents of all of them.
-- Names of documents are compared in one Unicode form: a Mac writes the same name of a file in another one than Linux does. Documents whose
-- names become one stay documents of their own until a replacement names them, as all that share a name.
-- Postgres composes texts in databases of the encoding UTF8 alone.
-- Locks: the rows of ingest.job that are written. Recovery: the file runs in one transaction; fix the cause and start again.

do $$
begin
  if current_setting('server_encoding') = 'UTF8' then
    update ingest.job
    set document_name = normalize(job.document_name, nfc)
    where job.document_name is not nfc normalized;
  end if;
end
$$;
