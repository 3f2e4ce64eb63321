import { hasFeature, type JobQueue, type NewJob, type Tx } from 'mneme/plugin'
import type { ProcessingStep } from '../../memories/contract.ts'
import { enqueueReadings } from './reading-queue.ts'

export const FEATURE = 'hasKnowledgeGraph'

/** The one job of a workspace that reads what waits; it goes behind what users wait for. */
export function extractJob(workspaceId: string, inMs = 0): NewJob {
  return {
    task: 'graph:extract',
    payload: { workspace_id: workspaceId },
    key: `graph:extract:${workspaceId}`,
    priority: 5,
    inMs,
  }
}

/**
 * Notes each memory as to be read in the transaction that completes it, and its workspace's job. It is noted where the plan does
 * not have the feature, too: the plan may change.
 */
export function createQueueStep(jobs: JobQueue): ProcessingStep<boolean> {
  return {
    id: 'graph.queue',
    // Behind all that the reading builds on.
    order: 900,
    async prepare({ workspace }, memories) {
      return new Map(memories.map(({ id }) => [id, hasFeature(workspace, FEATURE)]))
    },
    async write(tx: Tx, memories, prepared) {
      const [first] = memories
      if (!first) return
      const reads = memories.some(({ id }) => prepared.get(id) === true)
      await Promise.all([
        enqueueReadings(tx, memories),
        reads ? jobs.enqueue(tx, [extractJob(first.workspaceId)]) : undefined,
      ])
    },
  }
}
