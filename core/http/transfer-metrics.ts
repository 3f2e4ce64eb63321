import { Counter, Gauge, type Registry } from 'prom-client'
import type { Transfers } from './transfers.ts'

/** Shows how much of the budgets for bodies and responses is used, and how often they had no room. */
export function measured(transfers: Transfers, registry: Registry): Transfers {
  const registers = [registry]
  const { memory, disk, responses } = transfers
  new Gauge({
    name: 'mneme_body_bytes',
    help: 'Request bodies that are held in memory.',
    registers,
    collect() {
      this.set(memory.used)
    },
  })
  new Gauge({
    name: 'mneme_body_bytes_limit',
    help: 'Bytes that request bodies may have in memory together.',
    registers,
  }).set(memory.maxBytes)
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
    name: 'mneme_response_bytes',
    help: 'Large responses that their clients have not taken yet.',
    registers,
    collect() {
      this.set(responses.used)
    },
  })
  new Gauge({
    name: 'mneme_response_bytes_limit',
    help: 'Bytes that large responses may have in memory together.',
    registers,
  }).set(responses.maxBytes)
  new Counter({
    name: 'mneme_response_refused_total',
    help: 'Large responses that there was no room for.',
    registers,
    collect() {
      this.reset()
      this.inc(responses.refused)
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
    help: 'Bytes that uploaded files may have together now.',
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
