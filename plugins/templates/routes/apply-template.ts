import { created } from 'mneme/plugin'
import { intakeErrors } from '../../memories/contract.ts'
import { applyTemplate } from '../apply.ts'
import { failTemplate } from '../errors.ts'
import { applyExample, valuesExample } from '../examples.ts'
import { findTemplate } from '../queries/templates.ts'
import { route, WRITE } from '../route.ts'
import { applyBody, applyResponse, templateParams } from '../schemas.ts'

export const applyTemplateRoute = route({
  method: 'POST',
  path: '/v1/templates/:id/apply',
  operationId: 'applyTemplate',
  access: WRITE,
  share: 'bulk',
  summary: 'Apply a template',
  description:
    'Stores the memories of the template with the given values, all together or none. Memories whose text the user already has are skipped and counted; where the workspace holds each text once, that of another user is stored with the user’s id before it.',
  params: templateParams,
  body: applyBody,
  responses: { 201: applyResponse },
  errors: ['TEMPLATE_NOT_FOUND', 'QUOTA_EXCEEDED'],
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  examples: { body: { user_id: 'ada', ...valuesExample }, response: applyExample },
  async handle({ params, body, scope, tenant }) {
    const template = await tenant.transaction(tx => findTemplate(tx, tenant.workspaceId, params.id))
    if (!template) throw failTemplate('TEMPLATE_NOT_FOUND')
    const { memories, skipped } = await applyTemplate(scope, tenant, template, body)
    return created({ memories_created: memories.length, memories_skipped: skipped, memories })
  },
})
