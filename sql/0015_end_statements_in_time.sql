-- A statement can look at the clock by itself, for the embedded database: nothing reaches a backend there that works.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

-- When the statement under way has taken the time that it may: its session's or transaction's statement_timeout.
create function core.statement_deadline() returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when current_setting('statement_timeout') = '0' then 'infinity'
      else statement_timestamp() + current_setting('statement_timeout')::interval
    end
  $$;

-- Fails as a statement does that Postgres cancels itself. It stands in conditions behind a look at the clock, so its cost is next to none.
create function core.end_statement() returns boolean
  language plpgsql volatile cost 1
  set search_path = pg_catalog, pg_temp
  as $$
begin
  raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
end
$$;
