import type { EventPublisher, Wiring } from 'mneme/plugin'

export const FEATURE = 'templates'

/** Routes are called with this. */
export interface TemplatesScope {
  readonly events: EventPublisher
  readonly wiring: Wiring
}
