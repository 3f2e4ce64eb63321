import { ok } from 'mneme/plugin'
import { failTemplate } from '../errors.ts'
import { previewExample, valuesExample } from '../examples.ts'
import { findTemplate } from '../queries/templates.ts'
import { render } from '../rendering.ts'
import { READ, route } from '../route.ts'
import { previewBody, previewResponse, templateParams } from '../schemas.ts'

export const previewTemplateRoute = route({
  method: 'POST',
  path: '/v1/templates/:id/preview',
  operationId: 'previewTemplate',
  access: READ,
  reads: true,
  summary: 'Preview a template',
  description: 'Shows the memories that applying the template with these values would store. Nothing is stored.',
  params: templateParams,
  body: previewBody,
  responses: { 200: previewResponse },
  errors: ['TEMPLATE_NOT_FOUND'],
  examples: { body: valuesExample, response: previewExample },
  async handle({ params, body, tenant }) {
    const template = await tenant.transaction(tx => findTemplate(tx, tenant.workspaceId, params.id))
    if (!template) throw failTemplate('TEMPLATE_NOT_FOUND')
    return ok({ memories: render(template, body.variables) })
  },
})
