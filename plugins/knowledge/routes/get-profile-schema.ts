import { ok, Type } from 'mneme/plugin'
import { failKnowledge } from '../errors.ts'
import { schemaExample } from '../examples.ts'
import { findProfileSchema } from '../queries/profile-schema.ts'
import { READ, route } from '../route.ts'

export const getProfileSchemaRoute = route({
  method: 'GET',
  path: '/v1/profiles/schema',
  operationId: 'getProfileSchema',
  access: READ,
  summary: "Get the workspace's schema of profiles",
  responses: { 200: Type.Object({}, { additionalProperties: true, title: 'ProfileSchema' }) },
  examples: { response: schemaExample },
  errors: ['PROFILE_SCHEMA_NOT_FOUND'],
  async handle({ tenant }) {
    const schema = await tenant.transaction(tx => findProfileSchema(tx, tenant.workspaceId))
    if (!schema) throw failKnowledge('PROFILE_SCHEMA_NOT_FOUND')
    return ok(schema)
  },
})
