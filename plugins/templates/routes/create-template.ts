import { created } from 'mneme/plugin'
import { createExample, templateExample } from '../examples.ts'
import { contentOf, createChecks } from '../input.ts'
import { route, WRITE } from '../route.ts'
import { createBody, templateResponse } from '../schemas.ts'
import { toTemplate } from '../serializers.ts'
import { storeTemplate } from '../store-template.ts'

export const createTemplateRoute = route({
  method: 'POST',
  path: '/v1/templates',
  operationId: 'createTemplate',
  access: WRITE,
  summary: 'Create a template',
  description:
    'A list of memories with `{{variable}}` in their texts, categories and the strings of their metadata. Every placeholder must be among the variables.',
  body: createBody,
  checks: createChecks,
  responses: { 201: templateResponse },
  errors: ['TEMPLATE_LIMIT_EXCEEDED'],
  examples: { body: createExample, response: templateExample },
  async handle({ body, tenant }) {
    return created(toTemplate(await storeTemplate(tenant, contentOf(body))))
  },
})
