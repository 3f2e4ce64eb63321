import { ok, oneOf, Type } from 'mneme/plugin'
import { memoryProfiles } from '../contract.ts'
import { profileResponse, shapedProfileResponse } from '../reading/responses.ts'
import { READ, route } from '../route.ts'
import { profileParams } from '../schemas.ts'

export const getProfileRoute = route({
  method: 'GET',
  path: '/v1/memories/profile/:workspaceId/:userId',
  operationId: 'getProfile',
  access: READ,
  subject: { user: 'userId' },
  summary: "Get a user's profile",
  description:
    'A summary of what the memories say about a user; null until one is compiled. With `shape=schema` the properties of the schema that `PUT /v1/profiles/schema` has set, null where not known, and the memory behind each value in `sources`; null without a schema.',
  params: profileParams,
  query: Type.Object({
    shape: Type.Optional(oneOf(['schema'], { description: "`schema`: by the workspace's schema of profiles." })),
  }),
  workspace: { param: 'workspaceId' },
  responses: {
    200: Type.Union([profileResponse, shapedProfileResponse], {
      description: 'A profile; with `shape=schema` one by the schema.',
    }),
  },
  examples: {
    response: {
      profile: {
        userId: 'ada',
        workspaceId: '7c1f6a52-6d5e-4b8c-9a51-1c8f8f0f7f11',
        summary: 'Ada prefers TypeScript and lives in Lisbon. She keeps bees.',
        topics: ['TypeScript', 'Lisbon', 'bees'],
        entityCount: 3,
        extractedAt: '2026-06-01T08:15:00.000Z',
      },
    },
  },
  async handle({ params, query, request, scope, tenant }) {
    const source = scope.wiring.find(memoryProfiles)
    if (query.shape === 'schema')
      return ok((await source?.shaped?.(tenant, params.userId, request.signal)) ?? { profile: null, sources: {} })
    const profile = await source?.profile(tenant, params.userId)
    return ok({ profile: profile ?? null })
  },
})
