import { Counter, Gauge, type Registry } from 'prom-client'
import type { Transfers } from './transfers.ts'

/** Shows how much of the budget for bodies is used, and how often it had no room. */
export function measured(transfers: Transfers, registry: Registry): Transfers {
  const registers = [registry]
  const { memory, disk } = transfers
  new Gauge({
    name: 'mneme_body_bytes',
    help: 'Request bodies that are held in memory.',
    registers,
    collect() {
      this.set(memory.used)
    },
  })
  new Gauge({ name: 'mneme_body_bytes_limit', help: 'What they may have together.', registers }).set(memory.maxBytes)
  new Counter({
    name: 'mneme_body_refused_total',
    help: 'Bodies that there was no room for.',
    registers,
    collect() {
      this.reset()
      this.inc(memory.refused)
    },
  })
  new Gauge({
    name: 'mneme_upload_file_bytes',
    help: 'Uploaded files that lie in the folder for temporary files.',
    registers,
    collect() {
      this.set(disk.used)
    },
  })
  new Gauge({
    name: 'mneme_upload_file_bytes_limit',
    help: 'What they may have together now.',
    registers,
    collect() {
      this.set(disk.maxBytes)
    },
  })
  new Counter({
    name: 'mneme_upload_file_refused_total',
    help: 'Uploads that there was no room for.',
    registers,
    collect() {
      this.reset()
      this.inc(disk.refused)
    },
  })
  return transfers
}
