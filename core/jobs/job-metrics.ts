import { Gauge, Histogram, type Registry } from 'prom-client'

/**
 * `interrupted`: given back because the process stops; `superseded`: replaced between its fetching and its start; `snoozed`: it comes again
 * because the task says so; `timed_out`: failed by its time limit and tried again.
 */
export type JobOutcome = 'completed' | 'retried' | 'failed' | 'interrupted' | 'superseded' | 'snoozed' | 'timed_out'

export interface JobMetrics {
  /** `startedAt` is a reading of `performance.now()`. */
  finished(task: string, outcome: JobOutcome, startedAt: number): void
  overrunning(task: string, count: number): void
}

/**
 * Durations of attempts by task and outcome, in seconds; the histogram's count is the number of attempts.
 * @param tasks their failures are shown from the beginning, since Prometheus sees no increase in a series that begins with 1
 */
export function createJobMetrics(registry: Registry, tasks: readonly string[] = []): JobMetrics {
  const duration = new Histogram({
    name: 'mneme_job_attempt_duration_seconds',
    help: 'Time a job attempt took.',
    labelNames: ['task', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
    registers: [registry],
  })
  for (const task of tasks) duration.zero({ task, outcome: 'failed' satisfies JobOutcome })
  const overrunning = new Gauge({
    name: 'mneme_job_attempts_overrunning',
    help: 'Attempts that go on in this process although their time limit is over and their signal was aborted.',
    labelNames: ['task'],
    registers: [registry],
  })
  return {
    finished: (task, outcome, startedAt) =>
      duration.labels(task, outcome).observe((performance.now() - startedAt) / 1000),
    overrunning: (task, count) => overrunning.labels(task).set(count),
  }
}
