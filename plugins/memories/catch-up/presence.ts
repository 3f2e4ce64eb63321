import type { Database, JobQueue, Wiring } from 'mneme/plugin'
import { memoryParts } from '../contract.ts'
import { catchUpJob } from '../tasks/catch-up.ts'
import { dueParts, NOTE_EVERY_MS, notePresence } from './state.ts'

/** Says, soon after the start and then every minute, which parts this process has; adds the job when something has to be made. */
export class Presence {
  #noteAt = 0
  #first = true

  constructor(private readonly parts: { database: Database; jobs: JobQueue; wiring: Wiring }) {}

  async run(): Promise<void> {
    if (performance.now() < this.#noteAt) return
    const { database, jobs, wiring } = this.parts
    const present = wiring.extensions(memoryParts).map(({ id }) => id)
    await database.system(async tx => {
      await notePresence(tx, present)
      // Later on the schedule adds it, once for all processes.
      if (this.#first && (await dueParts(tx, present)).length > 0) await jobs.enqueue(tx, [catchUpJob()])
    })
    this.#first = false
    this.#noteAt = performance.now() + NOTE_EVERY_MS
  }
}
