import { Counter, type Registry } from 'prom-client'
import type { PurgeParts } from './purge.ts'

/** Counts rows by table, from 0 for those that are known. */
export function createRetentionMetrics(
  registry: Registry,
  tables: readonly string[] = [],
): NonNullable<PurgeParts['metrics']> {
  const removed = new Counter({
    name: 'mneme_retention_removed_rows_total',
    help: 'Rows removed because they were older than they are kept.',
    labelNames: ['table'],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'mneme_retention_failures_total',
    help: 'Rows, or batches of rows, that should have been removed and could not be.',
    labelNames: ['table'],
    registers: [registry],
  })
  for (const table of tables) {
    removed.labels(table).inc(0)
    failures.labels(table).inc(0)
  }
  return {
    removed: (table, rows) => removed.labels(table).inc(rows),
    failed: table => failures.labels(table).inc(),
  }
}
