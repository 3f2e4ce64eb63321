import type { Tx } from '../db/database.ts'

type Fragment = ReturnType<Tx['unsafe']>

/**
 * Makes the assignments of an `update`, or of `on conflict do update`, that queue an existing item of a work table: it
 * is due at once in its old place, or as soon as its claim ends.
 * @param name what the statement calls the table
 * @param when a condition on the row; where it does not hold, nothing of this changes
 */
export function queueAgain(tx: Tx, name: string, when: Fragment = tx`true`) {
  const own = tx(name)
  return tx`
    due_at = case
      when not (${when}) or (${own}.lease is not null and ${own}.due_at > now()) then ${own}.due_at
      else least(coalesce(${own}.due_at, now()), now())
    end,
    version = ${own}.version + (${when})::integer,
    attempts = case when ${when} then 0 else ${own}.attempts end,
    error = case when ${when} then null else ${own}.error end`
}

/** Makes the assignments that leave nothing to do for an item, so that its claim is lost. */
export function unqueue(tx: Tx) {
  return tx`due_at = null, lease = null, attempts = 0, error = null`
}
