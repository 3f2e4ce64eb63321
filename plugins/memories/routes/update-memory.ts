import { ok, type Tenant, validationError, violatedConstraint } from 'mneme/plugin'
import { announceUpdated } from '../announce.ts'
import { intakeErrors, type MemoryRecord, type PreparedWrites } from '../contract.ts'
import { duplicateOf, releaseContent } from '../create.ts'
import { memoryFailure } from '../errors.ts'
import { storedExample } from '../examples.ts'
import { type MemoryChange, readUpdateBody } from '../input.ts'
import { takeOneIn } from '../intake.ts'
import { prepareWrites } from '../preparation.ts'
import { updateMemory } from '../queries/update.ts'
import { storedMemory } from '../responses.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams, updateBody } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'
import { toStoredMemory } from '../serializers.ts'
import { lockForContentChange } from '../state.ts'

export const updateMemoryRoute = route({
  method: 'PUT',
  path: '/v1/memories/:id',
  access: WRITE,
  summary: 'Update a memory',
  description:
    'Replaces the text and, where given, priority, categories and metadata; what is left out stays. The memory is processed again, also when nothing is different.',
  params: memoryParams,
  body: updateBody,
  responses: { 200: storedMemory },
  examples: {
    body: { memory: 'Ada prefers concise answers and works from Lisbon.', priority: 'HIGH' },
    response: storedExample,
  },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED', 'MEMORY_CONSOLIDATED', 'DUPLICATE_MEMORY'],
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  async handle({ params, body, scope, tenant }) {
    const reading = readUpdateBody(body)
    if ('faults' in reading) throw validationError(reading.faults)
    return ok(toStoredMemory(await update(scope, tenant, params.id, reading.value)))
  },
})

async function update(scope: MemoriesScope, tenant: Tenant, id: string, asked: MemoryChange): Promise<MemoryRecord> {
  const change = await takenIn(scope, tenant, id.toLowerCase(), asked)
  const text = { id: id.toLowerCase(), workspaceId: tenant.workspaceId, text: change.text }
  const writes = await prepareWrites(scope, tenant, [text])
  const stored = await tryToUpdate(scope, tenant, id, change, writes)
  if (stored) return stored
  // The text is taken. A holder that has expired but was not swept yet gives way.
  const holder = await tenant.transaction(tx => releaseContent(tx, scope, tenant.workspaceId, change.text))
  if (holder && holder.id !== text.id) throw duplicateOf(holder.id)
  const storedNow = await tryToUpdate(scope, tenant, id, change, writes)
  if (!storedNow) throw memoryFailure('DUPLICATE_MEMORY')
  return storedNow
}

/** The change as the hooks of other plugins left it. */
async function takenIn(
  scope: MemoriesScope,
  tenant: Tenant,
  id: string,
  { text, priority, categories, metadata }: MemoryChange,
): Promise<MemoryChange> {
  const unchanged = { userId: undefined, agentId: undefined, sessionId: undefined, source: undefined }
  const incoming = { operation: 'update' as const, id, text, priority, categories, metadata, ...unchanged }
  const taken = await takeOneIn(scope, tenant, incoming)
  return { text: taken.text, priority, categories: taken.categories, metadata: taken.metadata }
}

/** Undefined when another memory has the text. */
async function tryToUpdate(
  scope: MemoriesScope,
  tenant: Tenant,
  id: string,
  change: MemoryChange,
  writes: PreparedWrites,
): Promise<MemoryRecord | undefined> {
  const { workspaceId } = tenant
  try {
    return await tenant.transaction(async tx => {
      await lockForContentChange(tx, workspaceId, id)
      const updated = await updateMemory(tx, workspaceId, id, change, new Date())
      if (!updated) throw memoryFailure('MEMORY_NOT_FOUND')
      await announceUpdated(tx, scope, updated.record, updated.changed, writes)
      return updated.record
    })
  } catch (error) {
    if (violatedConstraint(error) === 'memory_content_unique') return undefined
    throw error
  }
}
