import { ok } from 'mneme/plugin'
import { countEntities, OVERVIEW_MAX } from '../queries/overview.ts'
import { entityList } from '../reading/responses.ts'
import { READ, route } from '../route.ts'

export const listEntitiesRoute = route({
  method: 'GET',
  path: '/v1/memories/entities',
  operationId: 'listUsersAndAgents',
  access: READ,
  subject: { handler: 'agent' },
  share: 'heavy',
  summary: 'List users and agents',
  description:
    'Users and agents with the number of their memories: users first, then agents, each with most memories first; the 10,000 largest of each.',
  responses: { 200: entityList },
  examples: { response: [{ type: 'user', id: 'ada', count: 12 }] },
  async handle({ tenant }) {
    return ok(await tenant.transaction(tx => countEntities(tx, tenant.workspaceId, OVERVIEW_MAX, tenant.subject)))
  },
})
