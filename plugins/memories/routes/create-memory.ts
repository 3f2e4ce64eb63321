import { created, validationError } from 'mneme/plugin'
import { intakeErrors } from '../contract.ts'
import { storedExample } from '../examples.ts'
import { storedMemory } from '../reading/responses.ts'
import { toStoredMemory } from '../reading/serializers.ts'
import { createChecks, parseCreateBody } from '../request/bodies.ts'
import { route, WRITE } from '../route.ts'
import { createBody } from '../schemas.ts'
import { createMemory } from '../storing/create.ts'

export const createMemoryRoute = route({
  method: 'POST',
  path: '/v1/memories',
  operationId: 'createMemory',
  access: WRITE,
  subject: { user: 'user_id', agent: 'agent_id' },
  summary: 'Create a memory',
  description:
    'Stores a text and queues it for processing. Keyword searches find it at once, searches by meaning when its status is COMPLETED.',
  body: createBody,
  checks: createChecks,
  responses: { 201: storedMemory },
  examples: {
    body: {
      memory: 'Ada prefers concise answers and works from Lisbon.',
      user_id: 'ada',
      categories: ['preferences', 'work_context'],
      priority: 'HIGH',
      metadata: { source: 'onboarding' },
    },
    response: storedExample,
  },
  errors: ['DUPLICATE_MEMORY', 'SECRET_REFUSED'],
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  async handle({ body, scope, tenant, idempotencySeed }) {
    const reading = parseCreateBody(body, new Date())
    if ('faults' in reading) throw validationError(reading.faults)
    return created(toStoredMemory(await createMemory(scope, tenant, reading.value, idempotencySeed)))
  },
})
