import { ok } from 'mneme/plugin'
import { failGraph } from '../errors.ts'
import { traversalExample } from '../examples.ts'
import { type EntityReference, edgeForm } from '../reading/edges.ts'
import { findReference } from '../reading/entities.ts'
import { readAsOf } from '../reading/instants.ts'
import { traverse, type WalkedEdge } from '../reading/traverse.ts'
import { entityRow, READ, route } from '../route.ts'
import { traversalAnswer, traverseQuery } from '../schemas.ts'

export const traverseRoute = route({
  method: 'GET',
  path: '/v1/graph/traverse',
  operationId: 'traverseGraph',
  access: READ,
  subject: { rows: [{ ...entityRow, field: 'from' }] },
  share: 'heavy',
  summary: 'Walk the graph',
  description:
    'Follows relationships both ways from one entity, the nearest and among these the strongest first; `source` and `target` keep their direction.',
  query: traverseQuery,
  responses: { 200: traversalAnswer },
  examples: { response: traversalExample },
  errors: ['ENTITY_NOT_FOUND'],
  async handle({ query, tenant }) {
    const { workspaceId } = tenant
    const at = readAsOf(query.as_of)
    const walk = {
      from: query.from.toLowerCase(),
      depth: query.depth,
      limit: query.limit,
      relationType: query.relationship_type,
      entityType: query.entity_type,
      at,
      history: query.include_history,
    }
    const [start, edges] = await tenant.transaction(tx =>
      Promise.all([findReference(tx, workspaceId, walk.from, at), traverse(tx, workspaceId, walk)]),
    )
    if (!start) throw failGraph('ENTITY_NOT_FOUND')
    return ok({
      nodes: nodesOf(start, edges),
      edges: edges.map(edge => ({ ...edgeForm(edge), source: edge.source_id, target: edge.target_id })),
    })
  },
})

/** Each entity once, in the order in which the edges reach it. */
function nodesOf(start: EntityReference, edges: readonly WalkedEdge[]): EntityReference[] {
  const nodes = new Map([[start.id, start]])
  for (const { source, target } of edges) for (const end of [source, target]) nodes.set(end.id, end)
  return [...nodes.values()]
}
