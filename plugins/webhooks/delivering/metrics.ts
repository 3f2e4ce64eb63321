import { Counter, Gauge, Histogram, type Registry } from 'mneme/plugin'

export const OUTCOMES = ['succeeded', 'refused', 'timed_out', 'unreachable', 'invalid', 'interrupted', 'busy'] as const
export type AttemptOutcome = (typeof OUTCOMES)[number]

export interface DeliveryMetrics {
  attempted(outcome: AttemptOutcome, durationMs: number): void
  /** Counts deliveries that failed for good. Call it once that is committed, since a transaction may be repeated. */
  gaveUp(count: number): void
}

/** @param running how many attempts are under way */
export function createDeliveryMetrics(registry: Registry, running: () => number): DeliveryMetrics {
  const seconds = new Histogram({
    name: 'mneme_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver to webhooks, from the connection to the last byte of the response, by what they came to.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const exhausted = new Counter({
    name: 'mneme_webhook_deliveries_exhausted_total',
    help: 'Deliveries that failed for good.',
    registers: [registry],
  })
  new Gauge({
    name: 'mneme_webhook_attempts_running',
    help: 'Attempts to deliver to webhooks that are under way. What waits is in mneme_work_items_queued{work="webhooks.delivery"}.',
    registers: [registry],
    collect() {
      this.set(running())
    },
  })
  return {
    attempted: (outcome, durationMs) => seconds.labels(outcome).observe(durationMs / 1000),
    gaveUp: count => exhausted.inc(count),
  }
}
