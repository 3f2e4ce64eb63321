/** A text of at most this many words, such as a chat message, takes all of the support. */
const SHORT = 20
/** Beyond that the share falls with the length; it is a half at 170 words, about a long paragraph. */
const FALL = 130

/**
 * Returns the share of support that a text of this length takes from the texts around it, from 1 to 0. "Yes, in Lyon." is understood from
 * what was said before; a page says itself what it is about, and words of any question occur around it by chance.
 */
export function contextShare(length: number): number {
  return Math.min(1, (FALL + SHORT) / (FALL + length))
}
