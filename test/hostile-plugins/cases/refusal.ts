import type { Circumstances, Given } from '../world.ts'

/** Plugins with which the service does not start, and the sentence that says which plugin it is and what to do. */
export interface Refused extends Circumstances {
  readonly what: string
  readonly plugins: readonly Given[]
  readonly sentence: string
}
