import type { EventPublisher, PluginContext } from 'mneme/plugin'

export const FEATURE = 'exports'

/** Routes, tasks and subscriptions are called with this. */
export interface ExportsScope
  extends Pick<PluginContext<unknown>, 'database' | 'tenants' | 'jobs' | 'quarantine' | 'wiring' | 'log'> {
  readonly events: EventPublisher
}
