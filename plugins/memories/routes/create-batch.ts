import {
  type AppError,
  compileValidator,
  type ErrorBody,
  type ErrorDetail,
  errorBody,
  multiStatus,
  type Tenant,
  validationError,
} from 'mneme/plugin'
import type { CreateResult, NewMemory } from '../contract.ts'
import { createMemories, duplicateOf, prepareMemories } from '../create.ts'
import { batchExample } from '../examples.ts'
import { type Reading, readCreateBody } from '../input.ts'
import { memoryQuota } from '../quota.ts'
import { batchResponse } from '../responses.ts'
import { route, WRITE } from '../route.ts'
import { batchBody, type CreateBody, createBody } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'
import { toStoredMemory } from '../serializers.ts'

export const createBatchRoute = route({
  method: 'POST',
  path: '/v1/memories/batch',
  access: WRITE,
  summary: 'Create up to 500 memories',
  description:
    'Each item stands for itself: the results come in the order sent, and a bad item never spoils the others. What is stored is stored in one transaction.',
  body: batchBody,
  bodyMaxBytes: 16 * 1024 * 1024,
  responses: { 207: batchResponse },
  examples: {
    body: { memories: [{ memory: 'Ada likes tea.' }, { memory: 'Ada moved to Porto.', user_id: 'ada' }] },
    response: batchExample,
  },
  async handle({ body, scope, tenant }) {
    const now = new Date()
    const readings = body.memories.map((item, index) => readItem(item, index, now))
    const valid = readings.flatMap(reading => ('value' in reading ? [reading.value] : []))
    const outcomes = await createAll(scope, tenant, valid)
    const results = readings.map(reading => {
      if ('faults' in reading) return failed(validationError(reading.faults))
      const outcome = outcomes.shift()
      if (!outcome) throw new Error('fewer results than memories')
      return resultForm(outcome, scope, tenant)
    })
    return multiStatus({ results })
  },
})

const item = compileValidator(createBody)

function readItem(value: unknown, index: number, now: Date): Reading<NewMemory> {
  const faults = item.faults(value)
  // The validator above has just checked it.
  const reading = faults.length > 0 ? { faults } : readCreateBody(value as CreateBody, now)
  return 'faults' in reading ? { faults: reading.faults.map(fault => placed(fault, index)) } : reading
}

/** Names the item in a fault's path: `memories.3.memory`. */
function placed({ path, message }: ErrorDetail, index: number): ErrorDetail {
  return { path: path === 'body' ? `memories.${index}` : `memories.${index}.${path}`, message }
}

async function createAll(scope: MemoriesScope, tenant: Tenant, memories: NewMemory[]): Promise<CreateResult[]> {
  if (memories.length === 0) return []
  const prepared = await prepareMemories(scope, tenant, memories)
  return tenant.transaction(tx => createMemories(tx, scope, tenant, prepared))
}

function resultForm(outcome: CreateResult, { quotas }: MemoriesScope, tenant: Tenant) {
  if ('created' in outcome) return { status: 201, memory: toStoredMemory(outcome.created) }
  if ('duplicateOf' in outcome) return failed(duplicateOf(outcome.duplicateOf))
  if ('refused' in outcome) return failed(outcome.refused)
  return failed(quotas.exceeded(tenant.workspace, memoryQuota.name))
}

function failed(error: AppError): { status: number; error: ErrorBody } {
  return { status: error.status, error: errorBody(error) }
}
