import { accepted, type Tenant } from 'mneme/plugin'
import { failIngest } from '../errors.ts'
import { acceptedExample } from '../examples.ts'
import type { Job } from '../job.ts'
import { findJob, requestCancel } from '../queries/jobs.ts'
import { wakeJob } from '../queries/work.ts'
import { jobRow, route, WRITE } from '../route.ts'
import { jobParams, jobResponse } from '../schemas.ts'
import type { IngestScope } from '../scope.ts'
import { toJobResponse } from '../serializers.ts'
import { CANCELLED, end } from '../steps/end.ts'
import { advanceJobOf } from '../tasks/jobs.ts'

export const cancelJobRoute = route({
  method: 'POST',
  path: '/v1/ingest-jobs/:id/cancel',
  operationId: 'cancelIngestJob',
  access: WRITE,
  subject: { rows: [jobRow] },
  summary: 'Cancel an ingest job',
  description:
    'The job ends as FAILED with the error_code CANCELLED, at once or after its current step. Memories made by then are kept. A newer version of a document that has begun to replace the older one is stored completely first.',
  params: jobParams,
  responses: { 202: jobResponse },
  examples: { response: { ...acceptedExample, status: 'PROCESSING' } },
  errors: ['INGEST_JOB_NOT_FOUND', 'INGEST_JOB_FINISHED'],
  async handle({ params, scope, tenant }) {
    return accepted(toJobResponse(await cancel(scope, tenant, params.id)))
  },
})

async function cancel(scope: IngestScope, tenant: Tenant, id: string): Promise<Job> {
  const { workspaceId } = tenant
  return tenant.transaction(async tx => {
    const found = await findJob(tx, workspaceId, id, 'locked')
    if (!found) throw failIngest('INGEST_JOB_NOT_FOUND')
    if (found.stage === 'over') {
      if (found.errorCode === CANCELLED.code) return found
      throw failIngest('INGEST_JOB_FINISHED')
    }
    await requestCancel(tx, workspaceId, id)
    const isHeld = await wakeJob(tx, workspaceId, id)
    // Whoever works on it ends it, and puts a version that has begun to show in its place first; without anybody it ends here.
    if (!isHeld && found.stage !== 'exchange') return (await end(tx, scope, workspaceId, id, CANCELLED)) ?? found
    await scope.jobs.enqueue(tx, [advanceJobOf(workspaceId)])
    return found
  })
}
