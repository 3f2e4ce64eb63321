import { ok, type Tenant, violatedConstraint } from 'mneme/plugin'
import { memoryRow } from '../contract/memory-row.ts'
import { intakeErrors, type MemoryRecord, type PreparedWrites } from '../contract.ts'
import { memoryFailure } from '../errors.ts'
import { storedExample } from '../examples.ts'
import { isTextHeld } from '../queries/insert.ts'
import { findRecords } from '../queries/read.ts'
import { updateMemory } from '../queries/update.ts'
import { storedMemory } from '../reading/responses.ts'
import { toStoredMemory } from '../reading/serializers.ts'
import { type MemoryChange, parseUpdateBody, updateChecks } from '../request/bodies.ts'
import { route, WRITE } from '../route.ts'
import { memoryParams, updateBody } from '../schemas.ts'
import type { MemoriesScope } from '../scope.ts'
import { announceUpdated } from '../storing/announce.ts'
import { duplicateOf, releaseContent } from '../storing/create.ts'
import { reviewOne } from '../storing/intake.ts'
import { lockForContentChange } from '../storing/lock.ts'
import { prepareWrites } from '../storing/preparation.ts'

export const updateMemoryRoute = route({
  method: 'PUT',
  path: '/v1/memories/:id',
  operationId: 'updateMemory',
  access: WRITE,
  subject: { rows: [memoryRow()] },
  summary: 'Update a memory',
  description:
    'Replaces the text and, where given, priority, categories and metadata; omitted fields stay. The memory is processed again even if nothing changed.',
  params: memoryParams,
  body: updateBody,
  checks: updateChecks,
  responses: { 200: storedMemory },
  examples: {
    body: { memory: 'Ada prefers concise answers and works from Lisbon.', priority: 'HIGH' },
    response: storedExample,
  },
  errors: ['MEMORY_NOT_FOUND', 'MEMORY_EXPIRED', 'MEMORY_CONSOLIDATED', 'DUPLICATE_MEMORY', 'SECRET_REFUSED'],
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  async handle({ params, body, scope, tenant }) {
    return ok(toStoredMemory(await update(scope, tenant, params.id, parseUpdateBody(body))))
  },
})

async function update(scope: MemoriesScope, tenant: Tenant, id: string, asked: MemoryChange): Promise<MemoryRecord> {
  const change = await reviewedChange(scope, tenant, id.toLowerCase(), asked)
  const text = { id: id.toLowerCase(), workspaceId: tenant.workspaceId, text: change.text }
  const writes = await prepareWrites(scope, tenant, [text])
  const stored = await tryToUpdate(scope, tenant, id, change, writes)
  if (stored) return stored
  // Another memory has the text. If that memory has expired and was not swept yet, it gives the text up.
  const holder = await tenant.transaction(async tx => {
    const [own] = await findRecords(tx, [text.id])
    return own && releaseContent(tx, scope, tenant, { text: change.text, userId: own.userId })
  })
  if (holder && holder.id !== text.id) throw duplicateOf(tenant, holder.id, holder.userId)
  const storedNow = await tryToUpdate(scope, tenant, id, change, writes)
  if (!storedNow) throw memoryFailure('DUPLICATE_MEMORY')
  return storedNow
}

/** Applies the intake hooks of other plugins to the change. */
async function reviewedChange(
  scope: MemoriesScope,
  tenant: Tenant,
  id: string,
  { text, priority, categories, metadata }: MemoryChange,
): Promise<MemoryChange> {
  const unchanged = { userId: undefined, agentId: undefined, sessionId: undefined, source: undefined }
  const incoming = { operation: 'update' as const, id, text, priority, categories, metadata, ...unchanged }
  const taken = await reviewOne(scope, tenant, incoming)
  return { text: taken.text, priority, categories: taken.categories, metadata: taken.metadata }
}

/** Returns undefined when another memory has the text. */
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
      const [, isHeld] = await Promise.all([
        lockForContentChange(tx, workspaceId, id),
        isTextHeld(tx, tenant, id, change.text),
      ])
      if (isHeld) return undefined
      const updated = await updateMemory(tx, tenant, id, change, new Date())
      if (!updated) throw memoryFailure('MEMORY_NOT_FOUND')
      await announceUpdated(tx, scope, updated.record, updated.changed, writes)
      return updated.record
    })
  } catch (error) {
    if (violatedConstraint(error) === 'memory_content_unique') return undefined
    throw error
  }
}
