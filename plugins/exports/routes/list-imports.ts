import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { importExample } from '../examples.ts'
import { listImports } from '../queries/imports.ts'
import { READ, route } from '../route.ts'
import { importPage } from '../schemas.ts'
import { toImport } from '../serializers.ts'

export const listImportsRoute = route({
  method: 'GET',
  path: '/v1/imports',
  operationId: 'listImports',
  access: READ,
  summary: 'List imports',
  description: 'The newest first.',
  query: pageQuery,
  responses: { 200: importPage },
  examples: { response: { data: [importExample], total: 1, page: 1, page_size: 20 } },
  async handle({ query, tenant }) {
    const { imports, total } = await tenant.transaction(tx => listImports(tx, tenant.workspaceId, windowOf(query)))
    return ok(envelope(query, imports.map(toImport), total))
  },
})
