import type { Status } from './words.ts'

/** Tells whether a memory is visible. An expired memory is reported for some days and is then unknown. */
export type MemoryStanding =
  | { readonly state: 'VISIBLE'; readonly status: Status }
  | { readonly state: 'EXPIRED' }
  | { readonly state: 'CONSOLIDATED'; readonly into: string }

/**
 * Tells why memories leave lists and search. The survivor still tells what an `absorbed` one did, and that one may be restored. A `deleted` one
 * is gone, with what was drawn from it. So is an `expired` one, but its row stays for 7 days, and until it is `deleted` with that the log of
 * searches keeps those with its text.
 */
export type RemovalReason = 'deleted' | 'expired' | 'absorbed'
