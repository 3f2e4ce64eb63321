import { ok } from 'mneme/plugin'
import { entityPageExample } from '../examples.ts'
import { listEntities } from '../reading/entities.ts'
import { readAsOf } from '../reading/instants.ts'
import { READ, route } from '../route.ts'
import { entitiesQuery, entityPage } from '../schemas.ts'

export const listEntitiesRoute = route({
  method: 'GET',
  path: '/v1/graph/entities',
  operationId: 'listEntities',
  access: READ,
  subject: { user: 'user_id' },
  summary: 'List entities',
  description: 'The people, organizations, places and things that memories name, newest first.',
  query: entitiesQuery,
  responses: { 200: entityPage },
  examples: { response: entityPageExample },
  async handle({ query, tenant }) {
    const { user_id: userId, type, page, page_size } = query
    const filter = { userId, type, at: readAsOf(query.as_of) }
    const { rows, total } = await tenant.transaction(tx =>
      listEntities(tx, tenant.workspaceId, filter, page, page_size),
    )
    const data = rows.map(row => ({ ...row, created_at: row.created_at.toISOString() }))
    return ok({ data, total, page, page_size })
  },
})
