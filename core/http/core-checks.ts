import type { HealthCheck } from '../plugin.ts'

/** `/ready` shows the core's own parts under these names, so no plugin's check may have one of them. */
export const CORE_CHECKS = [
  'database',
  'migrations',
  'queue',
  'embedder',
  'language',
  'quarantine',
  'memory',
  'jobs of the core',
] as const

export type CoreCheck = (typeof CORE_CHECKS)[number]

/** A health check of the core, under one of its names. */
export interface CoreHealthCheck extends HealthCheck {
  readonly name: CoreCheck
}
