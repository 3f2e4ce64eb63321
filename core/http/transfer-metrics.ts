import type { Registry } from 'prom-client'
import { measureBudget } from '../fair/byte-budget.ts'
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
