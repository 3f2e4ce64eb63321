import { envelope, ok, pageOf, pageQuery, windowOf } from 'mneme/plugin'
import { listedMemory, memoryReader } from '../../memories/contract.ts'
import { failIngest } from '../errors.ts'
import { memoriesExample } from '../examples.ts'
import { listMemoriesOf } from '../queries/chunks.ts'
import { findJob } from '../queries/jobs.ts'
import { jobRow, route } from '../route.ts'
import { jobParams } from '../schemas.ts'

export const listJobMemoriesRoute = route({
  method: 'GET',
  path: '/v1/ingest-jobs/:id/memories',
  operationId: 'listIngestJobMemories',
  access: { permission: 'memory.read' },
  subject: { rows: [jobRow] },
  summary: 'List the memories of a document',
  description:
    'In the order of the document. Deleted memories leave the list. Needs memory.read, as every list of memories.',
  params: jobParams,
  query: pageQuery,
  responses: { 200: pageOf(listedMemory()) },
  examples: { response: memoriesExample },
  errors: ['INGEST_JOB_NOT_FOUND'],
  async handle({ params, query, scope, tenant }) {
    const { workspaceId } = tenant
    return tenant.transaction(async tx => {
      if (!(await findJob(tx, workspaceId, params.id))) throw failIngest('INGEST_JOB_NOT_FOUND')
      const { memories, total } = await listMemoriesOf(tx, workspaceId, params.id, windowOf(query))
      const listed = await scope.wiring.use(memoryReader).listed(
        tx,
        memories.map(({ memoryId }) => memoryId),
      )
      const data = memories.flatMap(({ memoryId }) => listed.get(memoryId) ?? [])
      return ok(envelope(query, data, total))
    })
  },
})
