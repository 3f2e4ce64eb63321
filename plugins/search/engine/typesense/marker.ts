/**
 * A marker tells whether a node has everything that is no longer queued. A node that was restarted says that it is healthy while it replays
 * its log, and a follower may lag, so a response counts only if the same request shows a marker that is recent enough. Its number is taken
 * after all that it covers was stored, and it is written after its number was taken.
 */

/** The value of `workspace` in markers, which no workspace has. */
export const MARKER_WORKSPACE = 'marker'

/** Builds the filter that a marker passes if it is no older than `seq`. */
export function markerSince(seq: number): string {
  return `workspace:=${MARKER_WORKSPACE} && created_at:>=${seq}`
}
