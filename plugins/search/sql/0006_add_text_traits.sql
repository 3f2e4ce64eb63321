-- What the ranker asks of a text apart from its words: who speaks, whether it asks, what kinds of answer it could hold, and
-- when what it tells happened. Texts indexed before count as plain statements until they are written again.
-- Locks: search.document for a moment; the columns have constant defaults, so no row is rewritten. Recovery: the file runs in
-- one transaction; fix the cause and start again.

alter table search.document
  add column happened_at timestamptz(3),
  add column speaker text,
  add column asking real not null default 0,
  -- Bits: 1 ends with a question, 2 tells a time, 4 tells a quantity, 8 tells a name.
  add column traits smallint not null default 0;
