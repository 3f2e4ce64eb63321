import { created } from 'mneme/plugin'
import { builtInTemplates } from '../built-in.ts'
import { failTemplate } from '../errors.ts'
import { templateExample } from '../examples.ts'
import { route, WRITE } from '../route.ts'
import { builtInParams, templateResponse } from '../schemas.ts'
import { toTemplate } from '../serializers.ts'
import { storeTemplate } from '../store-template.ts'

export const copyBuiltInTemplateRoute = route({
  method: 'POST',
  path: '/v1/templates/built-in/:key/copy',
  operationId: 'copyBuiltInTemplate',
  access: WRITE,
  summary: 'Copy a built-in template',
  description: 'Copies a built-in template into the workspace.',
  params: builtInParams,
  responses: { 201: templateResponse },
  errors: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_LIMIT_EXCEEDED'],
  examples: { response: templateExample },
  async handle({ params, tenant }) {
    const template = builtInTemplates.find(({ key }) => key === params.key)
    if (!template) throw failTemplate('TEMPLATE_NOT_FOUND', { message: 'No built-in template has this key.' })
    return created(toTemplate(await storeTemplate(tenant, template)))
  },
})
