import { ok } from 'mneme/plugin'
import { builtInTemplates } from '../built-in.ts'
import { builtInExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { builtInList } from '../schemas.ts'
import { toContent } from '../serializers.ts'

export const listBuiltInTemplatesRoute = route({
  method: 'GET',
  path: '/v1/templates/built-in',
  access: READ,
  summary: 'List built-in templates',
  description: 'Templates that come with the service. Copy one to apply or change it.',
  responses: { 200: builtInList },
  examples: { response: builtInExample },
  async handle() {
    return ok({ data: builtInTemplates.map(template => ({ key: template.key, ...toContent(template) })) })
  },
})
