import { ok, type Tx, type Wiring } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { addedFields } from '../contract.ts'
import { memoryFailure } from '../errors.ts'
import { fullExample } from '../examples.ts'
import { findDetails } from '../queries/read.ts'
import { askHoldings, holdingsOf } from '../reading/holdings.ts'
import { fullMemory } from '../reading/responses.ts'
import { toFullMemory } from '../reading/serializers.ts'
import { READ, route } from '../route.ts'
import { memoryParams } from '../schemas.ts'

export const getMemoryRoute = route({
  method: 'GET',
  path: '/v1/memories/:id',
  operationId: 'getMemory',
  access: READ,
  subject: { rows: [memoryRow()] },
  summary: 'Get one memory',
  description:
    'All fields, with access counts and feedback. Consolidated memories stay readable here and name their survivor.',
  params: memoryParams,
  responses: { 200: fullMemory() },
  additions: wiring => ({ responses: { 200: fullMemory(addedFields(wiring, 'full')) } }),
  examples: { response: fullExample },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED'],
  async handle({ params, scope, tenant }) {
    const { workspaceId, workspace } = tenant
    const { details, holding } = await tenant.transaction(tx => readMemory(tx, scope.wiring, workspaceId, params.id))
    if (!details) throw memoryFailure('MEMORY_NOT_FOUND')
    if (details.expired) throw memoryFailure('MEMORY_EXPIRED')
    if (!tenant.isObserver) scope.accesses.count(workspaceId, [details.record.id])
    const [shown] = await scope.fields.add(tenant, [toFullMemory(details, workspace, holding)], 'full')
    return ok(shown)
  },
})

/** Reads a memory with whether it holds. One that has expired is reported as such, and nothing more is read of it. */
export async function readMemory(tx: Tx, wiring: Pick<Wiring, 'extensions'>, workspaceId: string, id: string) {
  const [details, asked] = await Promise.all([
    findDetails(tx, workspaceId, id),
    askHoldings(tx, wiring, workspaceId, [id]),
  ])
  if (!details || details.expired) return { details }
  const known = await holdingsOf(tx, asked, [details.record])
  return { details, holding: known.get(id) }
}
