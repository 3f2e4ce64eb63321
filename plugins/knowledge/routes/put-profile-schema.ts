import { ok, Type, validationError } from 'mneme/plugin'
import { schemaExample } from '../examples.ts'
import { saveProfileSchema } from '../queries/profile-schema.ts'
import { route, WRITE } from '../route.ts'
import { profileSchema } from '../schemas.ts'
import { schemaFaults } from '../shaped/schema.ts'

export const putProfileSchemaRoute = route({
  method: 'PUT',
  path: '/v1/profiles/schema',
  operationId: 'setProfileSchema',
  access: WRITE,
  summary: 'Say which properties a profile has',
  description:
    'Takes a JSON Schema object; `GET /v1/memories/profile/:workspaceId/:userId?shape=schema` fills it for a user. At most 50 properties, three levels deep; lists hold plain values. Titles and descriptions help to find what belongs to a property. What nothing heeds, such as `pattern` or `$ref`, is refused.',
  body: profileSchema,
  bodyMaxBytes: 128 * 1024,
  responses: { 200: Type.Object({}, { additionalProperties: true, title: 'ProfileSchema' }) },
  examples: { body: schemaExample, response: schemaExample },
  async handle({ body, scope: _, tenant }) {
    // The kernel adds the field to every body.
    const { workspace_id: __, ...schema } = { ...body } as Record<string, unknown>
    const faults = schemaFaults(schema)
    if (faults.length > 0) throw validationError(faults)
    await tenant.transaction(tx => saveProfileSchema(tx, tenant.workspaceId, schema))
    return ok(schema)
  },
})
