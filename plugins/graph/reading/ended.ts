import type { Tx } from 'mneme/plugin'

/** A condition on `edge`: the relationship is known to hold no more. */
export function hasEnded(tx: Tx) {
  return tx`(edge.known_to is not null or coalesce(edge.valid_to <= now(), false))`
}

/** A condition on `evidence`: it says that a relationship holds. A statement about one that has ended does not cease to be true. */
export function isStated(tx: Tx) {
  return tx`(not evidence.closes and (evidence.valid_to is null or evidence.valid_to > evidence.stated_at))`
}
