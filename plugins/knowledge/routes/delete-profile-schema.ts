import { noContent } from 'mneme/plugin'
import { failKnowledge } from '../errors.ts'
import { deleteProfileSchema } from '../queries/profile-schema.ts'
import { route, WRITE } from '../route.ts'

export const deleteProfileSchemaRoute = route({
  method: 'DELETE',
  path: '/v1/profiles/schema',
  operationId: 'deleteProfileSchema',
  access: WRITE,
  summary: "Delete the workspace's schema of profiles",
  responses: { 204: null },
  errors: ['PROFILE_SCHEMA_NOT_FOUND'],
  async handle({ tenant }) {
    const isGone = await tenant.transaction(tx => deleteProfileSchema(tx, tenant.workspaceId))
    if (!isGone) throw failKnowledge('PROFILE_SCHEMA_NOT_FOUND')
    return noContent
  },
})
