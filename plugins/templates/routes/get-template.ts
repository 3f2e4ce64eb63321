import { ok } from 'mneme/plugin'
import { failTemplate } from '../errors.ts'
import { templateExample } from '../examples.ts'
import { findTemplate } from '../queries/templates.ts'
import { READ, route } from '../route.ts'
import { templateParams, templateResponse } from '../schemas.ts'
import { toTemplate } from '../serializers.ts'

export const getTemplateRoute = route({
  method: 'GET',
  path: '/v1/templates/:id',
  operationId: 'getTemplate',
  access: READ,
  summary: 'Get a template',
  params: templateParams,
  responses: { 200: templateResponse },
  errors: ['TEMPLATE_NOT_FOUND'],
  examples: { response: templateExample },
  async handle({ params, tenant }) {
    const template = await tenant.transaction(tx => findTemplate(tx, tenant.workspaceId, params.id))
    if (!template) throw failTemplate('TEMPLATE_NOT_FOUND')
    return ok(toTemplate(template))
  },
})
