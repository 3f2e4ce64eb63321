-- Tells which words of a query are names of people who speak in the workspace's texts, by one look into an index for each word.
-- The order of bytes keeps names that begin alike together. The view has a row for each text, and runs with its owner's rights:
-- under row-level security a comparison of texts would not use the index.
-- Locks: search.document against writes while the index is made; only transcripts have entries. Recovery: the file runs in one
-- transaction; fix the cause and start again.

create index document_speaker on search.document (workspace_id, speaker collate "C") where speaker is not null;

create view search.own_speaker as
  select workspace_id, speaker collate "C" as speaker
  from search.document
  where workspace_id = (select core.current_workspace())
    and speaker is not null;

grant select on search.own_speaker to mneme_app;
