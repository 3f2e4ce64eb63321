import { ok } from 'mneme/plugin'
import { memoryProfiles } from '../contract.ts'
import { profileResponse } from '../reading/responses.ts'
import { READ, route } from '../route.ts'
import { profileParams } from '../schemas.ts'

export const getProfileRoute = route({
  method: 'GET',
  path: '/v1/memories/profile/:workspaceId/:userId',
  operationId: 'getProfile',
  access: READ,
  subject: { user: 'userId' },
  summary: "Get a user's profile",
  description: 'A summary of what the memories say about a user; null until one is compiled.',
  params: profileParams,
  workspace: { param: 'workspaceId' },
  responses: { 200: profileResponse },
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
  async handle({ params, scope, tenant }) {
    const profile = await scope.wiring.find(memoryProfiles)?.profile(tenant, params.userId)
    return ok({ profile: profile ?? null })
  },
})
