import { expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { createRetentionMetrics } from '../retention/metrics.ts'
import { createJobMetrics } from './job-metrics.ts'

test('failures of known tasks and tables are shown from 0, so that the first one is an increase', async () => {
  const registry = new Registry()
  createJobMetrics(registry, ['things:fold'])
  createRetentionMetrics(registry, ['things.thing'])
  const shown = await registry.metrics()
  expect(shown).toContain('mneme_job_attempt_duration_seconds_count{task="things:fold",outcome="failed"} 0')
  expect(shown).toContain('mneme_retention_failures_total{table="things.thing"} 0')
  expect(shown).toContain('mneme_retention_removed_rows_total{table="things.thing"} 0')
})
