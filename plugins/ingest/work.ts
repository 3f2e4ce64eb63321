import { type Claim, type LeasedWork, type LeasedWorkOptions, leasedWork } from 'mneme/plugin'
import type { Stage } from './job.ts'

/** Jobs under way are queued apart by what their next step takes: a place among the workspace's readings, or a host's time. */
export const RANKS = { reading: 0, fetching: 1 } as const

export function rankOf(stage: Stage): number {
  return stage === 'fetch' ? RANKS.fetching : RANKS.reading
}

/** This comes with a job that is claimed for its next step. */
export interface WorkRow {
  readonly rank: number
  /** The reason why it was postponed, if it was. */
  readonly error: string | null
}

export type WorkClaim = Claim<WorkRow>

export type WorkQueue = LeasedWork<WorkRow>

/** A killed process's jobs are taken up by another one after this. */
const LEASE_MS = 30_000

/** Opens the queue of jobs with one rank. */
export function openQueue(rank: number, measure?: LeasedWorkOptions['measure']): WorkQueue {
  return leasedWork<WorkRow>({
    table: 'ingest.work',
    key: 'job_id',
    columns: ['rank', 'error'],
    ranks: [rank],
    leaseMs: LEASE_MS,
    removeFinished: true,
    ...(measure && { measure }),
  })
}
