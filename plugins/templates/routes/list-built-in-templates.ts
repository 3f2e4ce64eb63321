import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { builtInTemplates } from '../built-in.ts'
import { builtInExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { builtInPage } from '../schemas.ts'
import { toContent } from '../serializers.ts'

export const listBuiltInTemplatesRoute = route({
  method: 'GET',
  path: '/v1/templates/built-in',
  operationId: 'listBuiltInTemplates',
  access: READ,
  summary: 'List built-in templates',
  description: 'Built-in templates. Copy one to apply or change it.',
  query: pageQuery,
  responses: { 200: builtInPage },
  examples: { response: builtInExample },
  async handle({ query }) {
    const { limit, offset } = windowOf(query)
    const shown = builtInTemplates.slice(offset, offset + limit)
    const data = shown.map(template => ({ key: template.key, ...toContent(template) }))
    return ok(envelope(query, data, builtInTemplates.length))
  },
})
