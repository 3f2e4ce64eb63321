import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { templateExample } from '../examples.ts'
import { listTemplates } from '../queries/templates.ts'
import { READ, route } from '../route.ts'
import { templatePage } from '../schemas.ts'
import { toTemplate } from '../serializers.ts'

export const listTemplatesRoute = route({
  method: 'GET',
  path: '/v1/templates',
  operationId: 'listTemplates',
  access: READ,
  summary: 'List templates',
  description: 'Newest first. Built-in templates are listed by `GET /v1/templates/built-in`.',
  query: pageQuery,
  responses: { 200: templatePage },
  examples: { response: { data: [templateExample], total: 1, page: 1, page_size: 20 } },
  async handle({ query, tenant }) {
    const { templates, total } = await tenant.transaction(tx => listTemplates(tx, tenant.workspaceId, windowOf(query)))
    return ok(envelope(query, templates.map(toTemplate), total))
  },
})
