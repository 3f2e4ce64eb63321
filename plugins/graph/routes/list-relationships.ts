import { ok } from 'mneme/plugin'
import { SYMMETRIC_TYPES } from '../contract.ts'
import { failGraph } from '../errors.ts'
import { relationshipsExample } from '../examples.ts'
import { edgeForm } from '../reading/edges.ts'
import { findReference } from '../reading/entities.ts'
import { readAsOf } from '../reading/instants.ts'
import { relationshipsOf } from '../reading/relationships.ts'
import { entityRow, READ, route } from '../route.ts'
import { entityParams, relationshipsAnswer, relationshipsQuery } from '../schemas.ts'

const symmetric = [...SYMMETRIC_TYPES].map(type => `\`${type}\``).join(', ')

export const listRelationshipsRoute = route({
  method: 'GET',
  path: '/v1/graph/entities/:id/relationships',
  operationId: 'listRelationships',
  access: READ,
  subject: { rows: [entityRow] },
  share: 'heavy',
  summary: "List an entity's relationships",
  description: `A relationship that is the same from either end (${symmetric}) is shown once, as outgoing.`,
  params: entityParams,
  query: relationshipsQuery,
  responses: { 200: relationshipsAnswer },
  examples: { response: relationshipsExample },
  errors: ['ENTITY_NOT_FOUND'],
  async handle({ params, query, tenant }) {
    const { workspaceId } = tenant
    // Ids compare as text from here on, and Postgres writes them in lower case.
    const id = params.id.toLowerCase()
    const when = { at: readAsOf(query.as_of), history: query.include_history }
    const [entity, found] = await tenant.transaction(tx =>
      Promise.all([findReference(tx, workspaceId, id, when.at), relationshipsOf(tx, workspaceId, id, when)]),
    )
    if (!entity) throw failGraph('ENTITY_NOT_FOUND')
    return ok({
      entity_id: entity.id,
      entity_name: entity.name,
      outgoing: found.outgoing.map(edge => ({ ...edgeForm(edge), target: edge.other })),
      incoming: found.incoming.map(edge => ({ ...edgeForm(edge), source: edge.other })),
      outgoing_total: found.outgoingTotal,
      incoming_total: found.incomingTotal,
    })
  },
})
