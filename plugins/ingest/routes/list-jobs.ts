import { envelope, ok, oneOf, pageOf, pageParameters, Type, text, windowOf } from 'mneme/plugin'
import { ID_MAX } from '../../memories/contract.ts'
import { listExample } from '../examples.ts'
import { JOB_STATUSES } from '../job.ts'
import { listJobs } from '../queries/jobs.ts'
import { READ, route } from '../route.ts'
import { jobResponse } from '../schemas.ts'
import { toJobResponse } from '../serializers.ts'

export const listJobsRoute = route({
  method: 'GET',
  path: '/v1/ingest-jobs',
  operationId: 'listIngestJobs',
  access: READ,
  subject: { user: 'user_id' },
  summary: 'List ingest jobs',
  description: 'Newest first.',
  query: Type.Object({
    ...pageParameters,
    status: Type.Optional(oneOf(JOB_STATUSES, { description: 'Jobs of this status.' })),
    user_id: Type.Optional(text({ minLength: 1, maxLength: ID_MAX, description: 'Jobs for this user.' })),
  }),
  responses: { 200: pageOf(jobResponse) },
  examples: { response: listExample },
  async handle({ query, tenant }) {
    const { status, user_id: userId } = query
    const { jobs, total } = await tenant.transaction(tx =>
      listJobs(tx, tenant.workspaceId, { status, userId }, windowOf(query)),
    )
    return ok(envelope(query, jobs.map(toJobResponse), total))
  },
})
