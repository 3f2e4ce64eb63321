import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { exportExample } from '../examples.ts'
import { listExports } from '../queries/exports.ts'
import { READ, route } from '../route.ts'
import { exportPage } from '../schemas.ts'
import { toExport } from '../serializers.ts'

export const listExportsRoute = route({
  method: 'GET',
  path: '/v1/exports',
  operationId: 'listExports',
  access: READ,
  subject: { handler: 'user' },
  beyondQuota: true,
  summary: 'List exports',
  description: 'The newest first.',
  query: pageQuery,
  responses: { 200: exportPage },
  examples: { response: { data: [exportExample], total: 1, page: 1, page_size: 20 } },
  async handle({ query, tenant }) {
    const { workspaceId, subject } = tenant
    const { exports, total } = await tenant.transaction(tx =>
      listExports(tx, workspaceId, windowOf(query), subject?.userId),
    )
    return ok(envelope(query, exports.map(toExport), total))
  },
})
