import type { Portion } from 'mneme/plugin'
import type { ProcessingJob } from '../scope.ts'
import { outageWaitMs } from './outage.ts'
import { BATCH_MAX, passSize } from './pass-size.ts'

/** A workspace has this many concurrent passes: one keeps the models busy while the other reads and writes. */
const PASSES_MAX = 2
/** While long texts wait, passes hold few of them each, and a model behind a network handles several requests at once. */
const LONG_PASSES_MAX = 6
/** A pass that holds fewer of those that wait has long texts. */
const FEW = BATCH_MAX / 2

interface Waiting {
  readonly job: ProcessingJob
  settle(error?: unknown): void
}

interface Lane {
  readonly waiting: Waiting[]
  passes: number
  scheduled: boolean
}

/**
 * Joins jobs of one workspace that start at the same moment, or while earlier ones run, into passes. A failed pass is retried job by job,
 * so that one bad memory never fails its neighbours, unless the failure is an outage that each of them would meet.
 */
export class ProcessingBatches {
  readonly #lanes = new Map<string, Lane>()

  /** @param portion sizes passes in characters, a short text counting as 500 */
  constructor(
    private readonly pass: (workspaceId: string, jobs: readonly ProcessingJob[]) => Promise<void>,
    private readonly portion?: Portion,
  ) {}

  /** Resolves when the job's memory is processed; rejects with the error of its own pass. */
  add(job: ProcessingJob): Promise<void> {
    const lane = this.#lane(job.workspace_id)
    return new Promise((resolve, reject) => {
      lane.waiting.push({ job, settle: error => (error === undefined ? resolve() : reject(error)) })
      this.#schedule(job.workspace_id, lane)
    })
  }

  /** Jobs fetched together start within one turn of the event loop, so waiting for its end collects them. */
  #schedule(workspaceId: string, lane: Lane): void {
    if (lane.scheduled || lane.passes >= passesMax(lane.waiting)) return
    lane.scheduled = true
    setTimeout(() => {
      lane.scheduled = false
      void this.#next(workspaceId, lane)
    }, 1)
  }

  async #next(workspaceId: string, lane: Lane): Promise<void> {
    const batch = lane.waiting.splice(0, passSize(jobsOf(lane.waiting), this.portion?.size))
    if (batch.length > 0) {
      lane.passes++
      if (lane.waiting.length > 0) this.#schedule(workspaceId, lane)
      await this.#run(workspaceId, batch)
      lane.passes--
    }
    if (lane.waiting.length > 0) this.#schedule(workspaceId, lane)
    else if (lane.passes === 0 && !lane.scheduled) this.#lanes.delete(workspaceId)
  }

  async #run(workspaceId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.pass(
        workspaceId,
        batch.map(({ job }) => job),
      )
      for (const { settle } of batch) settle()
    } catch (error) {
      const [only, ...others] = batch
      if (others.length === 0) only?.settle(error)
      else if (outageWaitMs(error) !== undefined) for (const { settle } of batch) settle(error)
      else for (const one of batch) await this.#run(workspaceId, [one])
    }
  }

  #lane(workspaceId: string): Lane {
    const known = this.#lanes.get(workspaceId)
    if (known) return known
    const lane: Lane = { waiting: [], passes: 0, scheduled: false }
    this.#lanes.set(workspaceId, lane)
    return lane
  }
}

function passesMax(waiting: readonly Waiting[]): number {
  return passSize(jobsOf(waiting)) < Math.min(waiting.length, FEW) ? LONG_PASSES_MAX : PASSES_MAX
}

function jobsOf(waiting: readonly Waiting[]): ProcessingJob[] {
  return waiting.slice(0, BATCH_MAX + 1).map(({ job }) => job)
}
