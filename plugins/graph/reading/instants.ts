import { fail, parseInstant, type Tx } from 'mneme/plugin'

/** The instant at which the graph is read; undefined means now. */
export type At = Date | undefined

/** Reads `as_of`; the schema has checked that it is an instant. */
export function readAsOf(value: string | undefined): At {
  if (value === undefined) return undefined
  const instant = parseInstant(value)
  if (!instant) throw fail('VALIDATION_ERROR')
  return instant
}

/** The instant itself, as SQL. */
export function instantOf(tx: Tx, at: At) {
  return at === undefined ? tx`now()` : tx`${at}::timestamptz`
}

/**
 * Tells whether `edge` holds. A memory's own word on its end counts as long as no other memory has closed it; an end
 * that was closed later than `at` was not known then.
 */
export function holds(tx: Tx, at: At) {
  if (at === undefined) return tx`(edge.known_to is null and (edge.valid_to is null or edge.valid_to > now()))`
  return tx`(
    edge.known_from <= ${at}
    and (edge.known_to > ${at} or (edge.known_to is null and (edge.valid_to is null or edge.valid_to > ${at})))
  )`
}

/** Tells whether `edge` is to be shown: those that hold, and with `history` all that were known. */
export function shown(tx: Tx, at: At, history: boolean) {
  if (!history) return holds(tx, at)
  return at === undefined ? tx`true` : tx`edge.known_from <= ${at}`
}

/** When `edge` ended, as far as it was known: what the memories say, else when one said that it was over. */
export function endOf(tx: Tx, at: At) {
  const ended = tx`coalesce(edge.valid_to, edge.known_to)`
  return at === undefined ? ended : tx`case when edge.known_to > ${at} then null else ${ended} end`
}
