import { ok } from 'mneme/plugin'
import { failTemplate } from '../errors.ts'
import { templateExample } from '../examples.ts'
import { changedTemplate, updateChecks } from '../input.ts'
import { findTemplate, updateTemplate } from '../queries/templates.ts'
import { route, WRITE } from '../route.ts'
import { templateParams, templateResponse, updateBody } from '../schemas.ts'
import { toTemplate } from '../serializers.ts'

export const updateTemplateRoute = route({
  method: 'PATCH',
  path: '/v1/templates/:id',
  operationId: 'updateTemplate',
  access: WRITE,
  summary: 'Change a template',
  description: 'Changes the given fields; lists are replaced. Memories that were made from it stay as they are.',
  params: templateParams,
  body: updateBody,
  checks: updateChecks,
  responses: { 200: templateResponse },
  errors: ['TEMPLATE_NOT_FOUND'],
  examples: { body: { name: 'New customer (EU)' }, response: { ...templateExample, name: 'New customer (EU)' } },
  async handle({ params, body, tenant }) {
    const { workspaceId } = tenant
    const updated = await tenant.transaction(async tx => {
      const template = await findTemplate(tx, workspaceId, params.id, 'held')
      return template && updateTemplate(tx, workspaceId, params.id, changedTemplate(template, body))
    })
    if (!updated) throw failTemplate('TEMPLATE_NOT_FOUND')
    return ok(toTemplate(updated))
  },
})
