import type { Wiring } from 'mneme/plugin'

/** Routes of this plugin are called with this. */
export interface ContextScope {
  readonly wiring: Wiring
}
