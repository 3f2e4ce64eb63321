import { ok } from 'mneme/plugin'
import { overviewExample } from '../examples.ts'
import { edgeFields } from '../reading/edges.ts'
import { readAsOf } from '../reading/instants.ts'
import { readOverview } from '../reading/overview.ts'
import { READ, route } from '../route.ts'
import { overviewAnswer, overviewQuery } from '../schemas.ts'

export const getOverviewRoute = route({
  method: 'GET',
  path: '/v1/graph/overview',
  operationId: 'getGraphOverview',
  access: READ,
  subject: { user: 'user_id' },
  share: 'heavy',
  summary: 'Get the graph as a whole',
  description:
    'The entities of the workspace or of one user, the most connected first, and the strongest relationships between those that are shown. `total_nodes` and `total_edges` tell how many there are beside them.',
  query: overviewQuery,
  responses: { 200: overviewAnswer },
  examples: { response: overviewExample },
  async handle({ query, tenant }) {
    const filter = {
      userId: query.user_id,
      type: query.entity_type,
      relationType: query.relationship_type,
      weightMin: query.min_weight,
      at: readAsOf(query.as_of),
      history: query.include_history,
    }
    const limits = { nodes: query.limit, edges: query.edges_limit }
    const found = await tenant.transaction(tx => readOverview(tx, tenant.workspaceId, filter, limits))
    return ok({
      nodes: found.nodes.map(({ id, name, type, description, user_id, is_user, relationships, known_from }) => ({
        id,
        name,
        type,
        description,
        user_id,
        is_user,
        relationships_count: relationships,
        known_from: known_from.toISOString(),
      })),
      edges: found.edges.map(edge => ({
        ...edgeFields(edge),
        source: edge.source_id,
        target: edge.target_id,
        known_from: edge.known_from.toISOString(),
        known_to: edge.known_to?.toISOString() ?? null,
      })),
      total_nodes: found.nodesTotal,
      total_edges: found.edgesTotal,
    })
  },
})
