import { forgetResponses, noContent, type Tenant, type Tx, Type } from 'mneme/plugin'
import { failIngest } from '../errors.ts'
import type { Job } from '../job.ts'
import { forgetMemories, ownMemoryIds } from '../queries/chunks.ts'
import { holdMemories } from '../queries/heirs.ts'
import { deleteJob, findJob } from '../queries/jobs.ts'
import { holdBack, isBeingReplaced } from '../queries/versions.ts'
import { jobRow, requireMemoryDelete, route, WRITE } from '../route.ts'
import { jobParams } from '../schemas.ts'
import type { IngestScope } from '../scope.ts'
import { CANCELLED, end } from '../steps/end.ts'
import { amendHanded, removeLeaving } from '../steps/hand-over.ts'

/** Memories that one transaction deletes: a large document takes several short ones. */
const REMOVED_TOGETHER = 500

export const deleteJobRoute = route({
  method: 'DELETE',
  path: '/v1/ingest-jobs/:id',
  operationId: 'deleteIngestJob',
  access: WRITE,
  subject: { rows: [jobRow] },
  summary: 'Delete an ingest job',
  description:
    "A running job is cancelled first. Its memories stay, unless `memories` is true: then they are deleted for good, which needs memory.delete, but for those whose text another document of the user has too: they become that one's. Once a newer version has begun to take over the memories of the older one, and until it has, both respond with 409 `INGEST_JOB_REPLACING`.",
  params: jobParams,
  query: Type.Object({
    memories: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Deletes the memories of the document too, but for texts that another document of the user has.',
      }),
    ),
  }),
  responses: { 204: null },
  errors: ['INGEST_JOB_NOT_FOUND', 'INGEST_JOB_REPLACING'],
  async handle({ params, query, caller, scope, tenant }) {
    if (query.memories) requireMemoryDelete(caller)
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      if (!(await lockDeletable(tx, workspaceId, params.id))) throw failIngest('INGEST_JOB_NOT_FOUND')
      await end(tx, scope, workspaceId, params.id, CANCELLED)
      if (query.memories) await holdBack(tx, workspaceId, params.id)
    })
    let isGone = false
    while (!isGone) {
      if (query.memories) while ((await removeMemories(scope, tenant, params.id)) > 0);
      isGone = await tenant.transaction(async tx => {
        await holdMemories(tx, workspaceId, 'removing')
        if (!(await lockDeletable(tx, workspaceId, params.id))) return true
        // A document that is deleted at the same time may have left it a memory since.
        if (query.memories && (await ownMemoryIds(tx, workspaceId, params.id, 1)).length > 0) return false
        await deleteJob(tx, workspaceId, params.id)
        await forgetResponses(tx, workspaceId, [params.id])
        return true
      })
    }
    return noContent
  },
})

/**
 * Holds a job that no version is being exchanged with: half a document of each would be left, or passages that the newer one keeps be gone.
 * @returns undefined where there is none
 */
async function lockDeletable(tx: Tx, workspaceId: string, id: string): Promise<Job | undefined> {
  const job = await findJob(tx, workspaceId, id, 'locked')
  if (!job) return undefined
  const isReplacing = job.stage === 'exchange' || (await isBeingReplaced(tx, workspaceId, job))
  if (isReplacing) throw failIngest('INGEST_JOB_REPLACING')
  return job
}

/** Deletes the next memories of a job, or leaves them to other documents that have their texts. @returns how many */
async function removeMemories(scope: IngestScope, tenant: Tenant, id: string): Promise<number> {
  const { workspaceId } = tenant
  const { ids, handed } = await tenant.transaction(async tx => {
    await holdMemories(tx, workspaceId, 'removing')
    const job = await lockDeletable(tx, workspaceId, id)
    if (!job) return { ids: [], handed: [] }
    const ids = await ownMemoryIds(tx, workspaceId, id, REMOVED_TOGETHER)
    const { handed } = await removeLeaving(tx, scope, tenant, job, ids)
    const others = new Set(handed.map(({ memoryId }) => memoryId))
    await forgetMemories(
      tx,
      workspaceId,
      ids.filter(memoryId => !others.has(memoryId)),
    )
    await holdBack(tx, workspaceId, id)
    return { ids, handed }
  })
  const leaving = ids.map(memoryId => ({ memoryId, jobId: id }))
  await amendHanded(scope, tenant, leaving, handed)
  return ids.length
}
