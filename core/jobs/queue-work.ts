import type { Fragment, Tx } from '../db/database.ts'

/**
 * Makes the assignments of an `update`, or of `on conflict do update`, that queue an existing item of a work table: it
 * is due at once in its old place, or as soon as its claim ends.
 * @param name what the statement calls the table
 * @param when a condition on the row; where it does not hold, nothing of this changes. A distributed Postgres calls no function of the time
 * lazily, so arrays stand for `case`.
 * @param now of `on conflict`, which may call none there: `excluded.due_at`
 */
export function queueAgain(tx: Tx, name: string, when: Fragment = tx`true`, now: Fragment = tx`now()`) {
  const own = tx(name)
  return tx`
    due_at = (array[least(${own}.due_at, ${now}), ${own}.due_at])[
      1 + ((not (${when}) or (${own}.lease is not null and ${own}.due_at > ${now})) is true)::integer
    ],
    version = ${own}.version + (${when})::integer,
    attempts = (array[${own}.attempts, 0])[1 + ((${when}) is true)::integer],
    error = (array[${own}.error, null])[1 + ((${when}) is true)::integer]`
}

/** Makes the assignments that leave nothing to do for an item, so that its claim is lost. */
export function unqueue(tx: Tx) {
  return tx`due_at = null, lease = null, attempts = 0, error = null`
}
