import { Counter, Gauge, type Registry } from 'prom-client'
import type { SharedByteBudget } from './shared-byte-budget.ts'
import type { Transfers } from './transfers.ts'

/** Shows how much of the budgets for bodies, responses and uploaded files is used, and how often they had no room. */
export function measured(transfers: Transfers, registry: Registry): Transfers {
  const { memory, responses, disk } = transfers
  measureBudget(registry, 'mneme_body', memory, {
    used: 'Request bodies that are held in memory.',
    limit: 'Bytes that request bodies may have in memory together.',
    refused: 'Bodies that there was no room for.',
  })
  measureBudget(registry, 'mneme_response', responses, {
    used: 'Large responses that their clients have not taken yet.',
    limit: 'Bytes that large responses may have in memory together.',
    refused: 'Large responses that there was no room for.',
  })
  measureBudget(registry, 'mneme_upload_file', disk, {
    used: 'Uploaded files that lie in the folder for temporary files.',
    limit: 'Bytes that uploaded files may have together now.',
    refused: 'Uploads that there was no room for.',
  })
  return transfers
}

function measureBudget(
  registry: Registry,
  name: string,
  budget: SharedByteBudget,
  help: { readonly used: string; readonly limit: string; readonly refused: string },
): void {
  const registers = [registry]
  new Gauge({
    name: `${name}_bytes`,
    help: help.used,
    registers,
    collect() {
      this.set(budget.used)
    },
  })
  new Gauge({
    name: `${name}_bytes_limit`,
    help: help.limit,
    registers,
    collect() {
      this.set(budget.maxBytes)
    },
  })
  new Counter({
    name: `${name}_refused_total`,
    help: help.refused,
    registers,
    collect() {
      this.reset()
      this.inc(budget.refused)
    },
  })
}
