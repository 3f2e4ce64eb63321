/** A chunk says one thing and enough of it: shorter ones are joined with what follows under the same heading. */
export const CHUNK_CHARS_MIN = 200
/** Longer ones hold several things, of which a vector shows none. In UTF-16 units, so never fewer than characters. */
export const CHUNK_CHARS_MAX = 1200
/** The heading path stands at the head of each chunk, cut to this. */
export const PATH_CHARS_MAX = 240
/** Two parts of a paragraph share at most so much: without it a sentence would lose the one it refers to. */
export const OVERLAP_CHARS_MAX = 160
