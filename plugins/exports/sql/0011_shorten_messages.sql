-- across workspaces: a migration changes the imports of all of them.
-- Messages of imports quoted what their files hold, up to 20 MB for one of them, and a list shows a hundred. New ones are short.
-- Locks: exports.import while its rows are written. Recovery: the file runs in one transaction; fix the cause and start again.

update exports.import
set error = left(import.error, 500),
    faults = (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('line', told.fault -> 'line', 'message', left(told.fault ->> 'message', 300))
          order by told.place
        ),
        '[]'
      )
      from jsonb_array_elements(import.faults) with ordinality as told (fault, place)
    )
where length(import.error) > 500
  or exists (
    select
    from jsonb_array_elements(import.faults) as told (fault)
    where length(told.fault ->> 'message') > 300
  );
