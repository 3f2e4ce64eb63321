import { ok } from 'mneme/plugin'
import { failIngest } from '../errors.ts'
import { completedExample } from '../examples.ts'
import { findJob } from '../queries/jobs.ts'
import { jobRow, READ, route } from '../route.ts'
import { jobParams, jobResponse } from '../schemas.ts'
import { toJobResponse } from '../serializers.ts'

export const getJobRoute = route({
  method: 'GET',
  path: '/v1/ingest-jobs/:id',
  operationId: 'getIngestJob',
  access: READ,
  subject: { rows: [jobRow] },
  summary: 'See how far an ingest job is',
  description: 'Its status, its progress, and the reason if it failed.',
  params: jobParams,
  responses: { 200: jobResponse },
  examples: { response: completedExample },
  errors: ['INGEST_JOB_NOT_FOUND'],
  async handle({ params, tenant }) {
    const job = await tenant.transaction(tx => findJob(tx, tenant.workspaceId, params.id))
    if (!job) throw failIngest('INGEST_JOB_NOT_FOUND')
    return ok(toJobResponse(job))
  },
})
