import type { Database, JobQueue, Wiring } from 'mneme/plugin'
import { memoryParts } from '../contract.ts'
import { catchUpJob } from '../tasks/catch-up.ts'
import { dueParts, RECORD_EVERY_MS, recordPresence } from './state.ts'

/** Records, soon after the start and then every minute, which parts this process has, and queues the backfill when one is due. */
export class Presence {
  #noteAt = 0
  #first = true

  constructor(private readonly parts: { database: Database; jobs: JobQueue; wiring: Wiring }) {}

  async run(): Promise<void> {
    if (performance.now() < this.#noteAt) return
    const { database, jobs, wiring } = this.parts
    const present = wiring.extensions(memoryParts).map(({ id }) => id)
    await database.system(async tx => {
      await recordPresence(tx, present)
      // After the first time the schedule queues the job, once for all processes.
      if (this.#first && (await dueParts(tx, present)).length > 0) await jobs.enqueue(tx, [catchUpJob()])
    })
    this.#first = false
    this.#noteAt = performance.now() + RECORD_EVERY_MS
  }
}
