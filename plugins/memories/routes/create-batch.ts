import {
  type AppError,
  checkFaults,
  compileValidator,
  type ErrorBody,
  type ErrorDetail,
  errorBody,
  multiStatus,
  paced,
  type Steps,
  type Tenant,
  validationError,
} from 'mneme/plugin'
import type { CreateResult, NewMemory } from '../contract.ts'
import { batchExample } from '../examples.ts'
import { batchResponse } from '../reading/responses.ts'
import { toStoredMemory } from '../reading/serializers.ts'
import { createChecks, type Parsed, parseCreateBody } from '../request/bodies.ts'
import { route, WRITE } from '../route.ts'
import { batchBody, type CreateBody, createBody } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'
import { duplicateOf } from '../storing/create.ts'
import { createInPieces } from '../storing/create-in-pieces.ts'
import { memoryQuota } from '../storing/quota.ts'

export const createBatchRoute = route({
  method: 'POST',
  path: '/v1/memories/batch',
  operationId: 'createMemoryBatch',
  access: WRITE,
  subject: { user: 'user_id', agent: 'agent_id', each: 'memories' },
  share: 'bulk',
  summary: 'Create up to 500 memories',
  description:
    'Results come in the order sent, and a bad item does not fail the others. Good items are stored in short transactions. After a 503, or where the client goes away before the response, items that were stored stay stored, and the rest is not: the same request with the same `Idempotency-Key` completes the batch and responds with the result of every item.',
  body: batchBody,
  bodyMaxBytes: 16 * 1024 * 1024,
  bodyValuesMax: 200_000,
  responses: { 207: batchResponse },
  examples: {
    body: { memories: [{ memory: 'Ada likes tea.' }, { memory: 'Ada moved to Porto.', user_id: 'ada' }] },
    response: batchExample,
  },
  async handle({ body, scope, tenant, idempotencySeed: seed, request }) {
    const gone = request.signal
    const readings = await paced(readSteps(body.memories))
    const valid = readings.flatMap(reading => ('value' in reading ? [reading.value] : []))
    const outcomes = await createInPieces(scope, tenant, valid, { seed, gone })
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

function* readSteps(items: readonly unknown[]): Steps<Parsed<NewMemory>[]> {
  const now = new Date()
  const readings: Parsed<NewMemory>[] = []
  for (const [index, given] of items.entries()) {
    readings.push(readItem(given, index, now))
    yield
  }
  return readings
}

function readItem(value: unknown, index: number, now: Date): Parsed<NewMemory> {
  // The cast is safe because the validator has just accepted the value, or at least the fields that a check reads.
  const body = value as CreateBody
  const misfits = item.faults(value)
  const faults = [...misfits, ...checkFaults(createChecks, { body, query: {}, scope: undefined }, misfits)]
  const reading = faults.length > 0 ? { faults } : parseCreateBody(body, now)
  return 'faults' in reading ? { faults: reading.faults.map(fault => placed(fault, index)) } : reading
}

/** Prefixes a fault's path with the item: `memories.3.memory`. */
function placed({ path, message }: ErrorDetail, index: number): ErrorDetail {
  return { path: path === 'body' ? `memories.${index}` : `memories.${index}.${path}`, message }
}

function resultForm(outcome: CreateResult, { quotas }: MemoriesScope, tenant: Tenant) {
  if ('created' in outcome) return { status: 201, memory: toStoredMemory(outcome.created) }
  if ('duplicateOf' in outcome) return failed(duplicateOf(tenant, outcome.duplicateOf, outcome.heldBy))
  if ('refused' in outcome) return failed(outcome.refused)
  return failed(quotas.exceeded(tenant.workspace, memoryQuota.name))
}

function failed(error: AppError): { status: number; error: ErrorBody } {
  return { status: error.status, error: errorBody(error) }
}
