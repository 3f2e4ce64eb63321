import type { Status } from './words.ts'

/** Tells whether a memory is visible. An expired memory is reported for some days and is then unknown. */
export type MemoryStanding =
  | { readonly state: 'VISIBLE'; readonly status: Status }
  | { readonly state: 'EXPIRED' }
  | { readonly state: 'CONSOLIDATED'; readonly into: string }

/**
 * Tells why memories leave lists and search. The survivor still tells what an `absorbed` one did, and that one may be restored; a `deleted` or
 * `expired` one is gone, with what was drawn from it.
 */
export type RemovalReason = 'deleted' | 'expired' | 'absorbed'
