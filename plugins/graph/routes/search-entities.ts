import { ok } from 'mneme/plugin'
import { foundExample } from '../examples.ts'
import { queryVector } from '../reading/query-vector.ts'
import { searchEntities } from '../reading/search-entities.ts'
import { READ, route } from '../route.ts'
import { foundEntities, searchQuery } from '../schemas.ts'

export const searchEntitiesRoute = route({
  method: 'GET',
  path: '/v1/graph/search',
  operationId: 'searchEntities',
  access: READ,
  subject: { user: 'user_id' },
  share: 'heavy',
  summary: 'Search entities',
  description:
    'By meaning of name and description, and by name: an exact name or alias scores 1. Names are found at once, meaning a moment later.',
  query: searchQuery,
  responses: { 200: foundEntities },
  examples: { response: foundExample },
  async handle({ query, scope, tenant }) {
    const { workspaceId } = tenant
    // Embedded before the transaction, so that no connection waits for the model.
    const vector = await queryVector(scope, workspaceId, query.query)
    const { user_id: userId, type, limit } = query
    const found = await tenant.transaction(tx =>
      searchEntities(tx, workspaceId, { query: query.query, vector, userId, type, limit }),
    )
    return ok(
      found.map(({ id, name, type, description, score }) => ({
        id,
        name,
        type,
        description,
        score: Math.round(Math.min(1, score) * 10_000) / 10_000,
      })),
    )
  },
})
