import { forgetResponses, noContent } from 'mneme/plugin'
import { failTemplate } from '../errors.ts'
import { deleteTemplate } from '../queries/templates.ts'
import { DELETE, route } from '../route.ts'
import { templateParams } from '../schemas.ts'

export const deleteTemplateRoute = route({
  method: 'DELETE',
  path: '/v1/templates/:id',
  operationId: 'deleteTemplate',
  access: DELETE,
  summary: 'Delete a template',
  description: 'Memories that were made of it stay.',
  params: templateParams,
  responses: { 204: null },
  errors: ['TEMPLATE_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction } }) {
    await transaction(async tx => {
      if (!(await deleteTemplate(tx, workspaceId, params.id))) throw failTemplate('TEMPLATE_NOT_FOUND')
      await forgetResponses(tx, workspaceId, [params.id])
    })
    return noContent
  },
})
