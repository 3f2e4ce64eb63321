import { fail, parseInstant, type Tx } from 'mneme/plugin'

/** When the graph is looked at: the instant asked for, or undefined for now. */
export type At = Date | undefined

/** The instants that Postgres and ISO 8601 with four digits of year can both write; what an offset pushed out is brought back. */
const FIRST = Date.UTC(2000, 0, 1) - 730_119 * 86_400_000
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Reads `as_of`; the schema has checked that it is an instant. */
export function readAsOf(value: string | undefined): At {
  if (value === undefined) return undefined
  const instant = parseInstant(value)
  if (!instant) throw fail('VALIDATION_ERROR')
  return new Date(Math.min(LAST, Math.max(FIRST, instant.getTime())))
}

/** The instant itself, as SQL. */
export function instantOf(tx: Tx, at: At) {
  return at === undefined ? tx`now()` : tx`${at}::timestamptz`
}

/**
 * Whether `edge` holds. What a memory says of its end counts as long as no other memory has closed it; of what was closed
 * later than `at`, the end was not known then.
 */
export function holds(tx: Tx, at: At) {
  if (at === undefined) return tx`(edge.known_to is null and (edge.valid_to is null or edge.valid_to > now()))`
  return tx`(
    edge.known_from <= ${at}
    and (edge.known_to > ${at} or (edge.known_to is null and (edge.valid_to is null or edge.valid_to > ${at})))
  )`
}

/** Whether `edge` is to be shown: those that hold, and with `history` all that were known. */
export function shown(tx: Tx, at: At, history: boolean) {
  if (!history) return holds(tx, at)
  return at === undefined ? tx`true` : tx`edge.known_from <= ${at}`
}

/** When `edge` ended, as far as it was known: what the memories say, else when one said that it was over. */
export function endOf(tx: Tx, at: At) {
  const ended = tx`coalesce(edge.valid_to, edge.known_to)`
  return at === undefined ? ended : tx`case when edge.known_to > ${at} then null else ${ended} end`
}
